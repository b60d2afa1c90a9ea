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
    if (found !== undefined) return line.slice(found.length).trim()
  }
  return /^(?:\$|>>>|❯|➜)$/u.test(line) ? '' : null
}

const MODIFIER = String.raw`(?:Ctrl|Control|Alt|Option|Shift|Cmd|Command|Win|Super|Meta|⌘|⌥|⇧|⌃|Strg|Umschalt)`
const KEYS = new RegExp(String.raw`^${MODIFIER}(?: ?[+–-] ?(?:${MODIFIER}|F\d{1,2}|[A-Z][a-z]{2,8}|\S))+$`, 'u')

/** Whether a line is what recorders show of keys that are pressed, such as `Ctrl+Shift+P`. */
export function isKeystroke(line: string): boolean {
  return KEYS.test(line)
}
