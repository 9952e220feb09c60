/** `--label-name` of every command that saves labels, for help. */
export const LABEL_NAME =
  "how each label's file is named: '{reference}-{consignment}.pdf', or with {shipment}"
