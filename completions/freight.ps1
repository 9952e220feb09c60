# Completions of freight. For PowerShell 5 or newer, on any system.

Register-ArgumentCompleter -Native -CommandName freight -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  # The words before the cursor's, without their quotes.
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
  $typed = $wordToComplete.Trim('"', "'")

  # A line for each word (the word, a tab, its meaning); the last says what they are.
  $kind = ''
  foreach ($line in @(& freight __complete ":$typed" @words 2>$null)) {
    if (-not $line) { continue }
    if ($line.StartsWith(':')) { $kind = $line.Substring(1); continue }
    $text, $about = $line -split "`t", 2
    if (-not $text.StartsWith($typed, [System.StringComparison]::Ordinal)) { continue }
    $word = $text
    if (-not $about) { $about = $word }
    if ($text -notmatch '^[\w./:=+-]+$') { $text = "'" + $text.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $about)
  }

  if ($kind -like 'files' -or $kind -like '* files' -or $kind -like 'folders') {
    $before = ''
    if ($typed -like '--*=*') { $before = $typed.Substring(0, $typed.IndexOf('=') + 1) }
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($typed.Substring($before.Length)) |
      Where-Object { $kind -ne 'folders' -or $_.ResultType -eq 'ProviderContainer' } |
      ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($before + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
      }
  }
}
