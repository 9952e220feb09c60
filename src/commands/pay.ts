import { command } from "../command/index.ts"
import { PAID_COLUMNS, PAY_FLAGS, payBills, TO_PAY_COLUMNS } from "../bills/index.ts"

export default command({
  about:
    "Lists the audited bills to pay, and records payments. A bill is paid less its open disputes; bills that give money back are set off against others of the supplier. freight moves no money: it records what you paid, so that no bill is paid twice, whichever workstation runs this.",
  args: [
    {
      takes: "[bill...]",
      about: "bills by number, file, or supplier and number; with --approved-by, the file of a plan",
    },
  ],
  flags: PAY_FLAGS,
  daily: [
    ...["list", "dueBy", "output", "approvedBy", "amount", "less", "paidElsewhere", "for"],
    ...["undo", "why", "statement", "yes"],
  ] as const,
  columns: [...TO_PAY_COLUMNS, ...PAID_COLUMNS],
  examples: [
    "freight pay --sandbox --list",
    'freight pay --sandbox --list --due-by "in 7 days" -o payments.json',
  ],
  notes: `A bill is paid once: for a paid bill, freight says when it was paid and records nothing. The withheld amount falls due once the dispute is denied, written off or credited on another bill: freight pay BILL pays that rest.
Bills that are not in the books, have no number or contradict themselves are listed separately, and are not paid.
Exit code: 0 recorded, now or before; 1 a bill may not be paid, or something changed since the plan; 2 the bill is not clear.`,
  run: payBills,
})
