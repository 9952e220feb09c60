import { HEADER } from "./posix.ts"
import type { Rows, Tables } from "./tables.ts"
import { type Word, wordLine } from "./value.ts"

/** For PowerShell 5 or newer, on any system. */
export function powershellScript({
  commands,
  children,
  flags,
  globals,
  values,
  args,
  lists,
}: Tables): string {
  return [
    HEADER,
    "",
    "Register-ArgumentCompleter -Native -CommandName freight -ScriptBlock {",
    "  param($wordToComplete, $commandAst, $cursorPosition)",
    "",
    "  # The command that a word names below another.",
    table("commands", commands, quoted),
    "  # The commands below a command.",
    table("children", children, list),
    "  # The flags of a command, and those of every command.",
    table("flags", flags, list),
    `  $globals = ${list(globals)}`,
    "",
    "  # What follows a flag of a command; a ? before it: or nothing. Empty: nothing does.",
    table("values", values, quoted),
    "  # What an argument of a command is, by its number from 0.",
    table("arguments", args, quoted),
    "  # Lists of words.",
    table("lists", lists, list),
    FRONT,
    "}",
    "",
  ].join("\n")
}

function quoted(text: string): string {
  return `'${text.replace(/['‘’‚‛]/g, "$&$&")}'`
}

function list(words: readonly Word[]): string {
  return `@(${words.map((word) => quoted(wordLine(word))).join(", ")})`
}

/** Names in it count capitals and small letters as different, as the command line does. */
function table<T>(name: string, rows: Rows<T>, write: (value: T) => string): string {
  const entries = rows.flatMap(([labels, value]) =>
    labels.map((label) => `  $${name}[${quoted(label)}] = ${write(value)}`),
  )
  return [`  $${name} = [System.Collections.Hashtable]::new()`, ...entries, ""].join("\n")
}

const FRONT = `  $valueOf = {
    param($command, $flag)
    foreach ($label in "$command $flag", "* $flag") { if ($values.ContainsKey($label)) { return $values[$label] } }
    return ''
  }
  $argumentOf = {
    param($command, $number)
    foreach ($label in "$command/$number", "$command/*") { if ($arguments.ContainsKey($label)) { return $arguments[$label] } }
    return ''
  }

  # The words before the cursor's, without their quotes.
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
  $typed = $wordToComplete.Trim('"', "'")

  $at = ''; $flag = ''; $count = 0; $only = $false
  foreach ($word in $words) {
    if ($flag -ne '') {
      $flag = ''
      if ($word -notlike '-?*') { continue }
    }
    if ($only) { $count++; continue }
    if ($word -ceq '--') { $only = $true }
    elseif ($word -like '--*=*') { }
    elseif ($word -like '-?*') { if ((& $valueOf $at $word) -ne '') { $flag = $word } }
    elseif ($commands.ContainsKey("$at/$word")) { $at = $commands["$at/$word"] }
    else { $count++ }
  }

  $kind = ''; $before = ''; $offered = @()
  if ($flag -ne '') {
    $kind = & $valueOf $at $flag
    if ($kind.StartsWith('?')) {
      $kind = $kind.Substring(1)
      if ($kind -ceq 'free' -or $typed.StartsWith('-')) { $kind = '' }
    }
  }
  if ($kind -eq '') {
    if ($typed -like '--*=*') {
      $before = $typed.Substring(0, $typed.IndexOf('=') + 1)
      $kind = (& $valueOf $at $before.TrimEnd('=')).TrimStart('?')
    }
    elseif ($typed.StartsWith('-')) { $offered = @($flags[$at]) + $globals }
    elseif ($children.ContainsKey($at)) { $offered = $children[$at] }
    else { $kind = & $argumentOf $at $count }
  }

  $value = $typed.Substring($before.Length)
  if ($kind.StartsWith('words ')) {
    # The values of a field come once its = is there.
    $offered = @($lists[$kind.Substring(6)] | Where-Object { $value.Contains('=') -or $_ -notmatch '^[^\\t]*=[^\\t]' })
  }
  elseif ($kind.StartsWith('data ')) {
    $offered = @(& freight completion-data $kind.Split(' ')[1] @words 2>$null)
  }

  foreach ($line in $offered) {
    if (-not $line) { continue }
    $word, $about = $line -split "\`t", 2
    $text = $before + $word
    if (-not $text.StartsWith($typed, [System.StringComparison]::Ordinal)) { continue }
    if (-not $about) { $about = $word }
    if ($text -notmatch '^[\\w./:=+-]+$') { $text = "'" + $text.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $about)
  }

  if ($kind -like 'files' -or $kind -like '* files' -or $kind -like 'folders') {
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($value) |
      Where-Object { $kind -ne 'folders' -or $_.ResultType -eq 'ProviderContainer' } |
      ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($before + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
      }
  }`
