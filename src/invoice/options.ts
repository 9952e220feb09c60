/** What an invoice is checked for. */
export interface ExamineOptions {
  /** A canonical document is whole; a draft may lack what the service fills in. */
  stage: "canonical" | "draft"
  /** Whether the accounting rules are checked too. */
  accounting: boolean
  /** Makes every warning an error. */
  strict: boolean
  /** Severities that differ from the usual, by rule: `accounting/abn` → `off`. */
  rules: Readonly<Record<string, "off" | "warning" | "error">>
}
