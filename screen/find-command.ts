/** Where a terminal waits: `name@host:~/folder$`, `[name@host folder]$`, `$`, `C:\folder>`, `PS C:\folder>`, `>>>`. */
const PROMPTS = [
  /^\W?\[?[\w.-]+[@©®][^$#%>]{1,60}[$#%>]\s*/u,
  /^\[[^\]]{1,60}\S{0,2}[$#]\s*/u,
  /^(?:PS )?[A-Z]:\\[^>]{0,80}>\s*/u,
  /^(?:\$|>>>|❯|➜)\s+/u,
]

/** What stands behind a prompt: empty where nothing has been typed; null where the line has no prompt. */
export function cutPrompt(line: string): string | null {
  for (const prompt of PROMPTS) {
    const [found] = prompt.exec(line) ?? []
    // The engine sees one sign as two at times.
    if (found !== undefined)
      return line
        .slice(found.length)
        .replace(/^[$#%§]\s+/u, '')
        .trim()
  }
  return /^(?:\$|>>>|❯|➜)$/u.test(line) ? '' : null
}

/** Finds the prompt that a line begins with; null where it has none. */
export function findPrompt(line: string): string | null {
  const command = cutPrompt(line)
  return command === null || command === '' ? null : line.slice(0, line.length - command.length).trimEnd()
}

/** Share of the letters of a prompt that may be misread. */
const MISREAD_MAX = 0.2

/** What stands behind a prompt that was read right elsewhere and has wrong letters here; null where it is another line. */
export function cutMisread(line: string, prompt: string): string | null {
  for (let end = prompt.length - 2; end <= prompt.length + 2; end++) {
    if (!/[$#%>§]/u.test(line[end - 1] ?? '') || /\S/u.test(line[end] ?? '')) continue
    let wrong = Math.abs(end - prompt.length)
    for (let index = 0; index < Math.min(end, prompt.length); index++) if (line[index] !== prompt[index]) wrong++
    if (wrong <= MISREAD_MAX * prompt.length) return line.slice(end).trim()
  }
  return null
}

const MODIFIERS = new Set('Ctrl Control Alt Option Shift Cmd Command Win Super Meta ⌘ ⌥ ⇧ ⌃ Strg Umschalt'.split(' '))
/** A key besides those: `F5`, `Enter`, `P`. */
const KEY = /^(?:F\d{1,2}|[A-Z][a-z]{2,8}|\S)$/u

/** Whether a line is what recorders show of keys that are pressed, such as `Ctrl+Shift+P`. */
export function isKeystroke(line: string): boolean {
  const [first = '', ...others] = line.split(/[+–-]/u).map((key) => key.trim())
  return MODIFIERS.has(first) && others.length > 0 && others.every((key) => MODIFIERS.has(key) || KEY.test(key))
}
