/** Services that give addresses to everyone: what ends so is a mail address wherever it stands. */
const MAIL_SERVICES = [
  'gmail|googlemail|outlook|hotmail|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|t-online|freenet|posteo|mailbox',
  'proton|protonmail|tutanota|zoho|fastmail|hey|mail|yandex|rambler|qq|163|126|sina|foxmail|naver|rediffmail|wp|o2|onet',
  'interia|orange|free|laposte|wanadoo|sfr|libero|virgilio|tiscali|uol|bol|terra|sapo|mynet',
].join('|')
/** Who is on which server. */
const ACCOUNT = String.raw`[\w.-]{1,60}@(?!(?:${MAIL_SERVICES})\.[a-z]{2,3}(?![\w.-]))[\w-]{1,60}(?:\.[\w-]{1,60}){0,6}`
const IS_ACCOUNT = new RegExp(String.raw`^["']?${ACCOUNT}(?::\S*)?["';|)]?$`, 'u')
const IS_ACCOUNT_WITH_PATH = new RegExp(String.raw`^["']?${ACCOUNT}:`, 'u')
const IS_ADDRESS = new RegExp(String.raw`^["'(]?(?:git\+)?(?:ssh|git|sftp|ftp|https?):\/\/${ACCOUNT}(?:[/:]|$)`, 'u')
const IS_PROMPT = new RegExp(String.raw`^\[?${ACCOUNT}:[~/]`, 'u')
const BEGINS_PROMPT = new RegExp(String.raw`^\[${ACCOUNT}$`, 'u')
const ENDS_PROMPT = /^\S{1,60}\][$#]$/u

/** Programs whose first word is an account, their options with a value behind a blank, and programs that copy. */
const LOGINS = new Set(['ssh', 'mosh', 'sftp', 'autossh', 'ssh-copy-id'])
const OPTIONS_WITH_VALUE = new Set(Array.from('bcDEeFIiJLlmOopQRSWw', (letter) => `-${letter}`))
const COPIERS = new Set(['scp', 'sftp', 'rsync', 'sshfs'])
const COPIES_OF_GIT = new Set(['clone', 'remote', 'push', 'pull', 'fetch', 'ls-remote', 'submodule'])

/**
 * Leaves out accounts on servers, which look like mail addresses: the first word that ssh and its like are given, paths
 * behind what copies, addresses with a protocol, prompts, and `git@`. All else with such a sign may be a person's address.
 */
export function withoutAccounts(line: string): string {
  const words = line.replaceAll('git@', '').split(/\s+/u)
  let copies = false
  let login: 'option' | 'value' | null = null
  const isAccount = (word: string, index: number): boolean => {
    const program = word.replace(/^[$#>(]+/u, '')
    const isFirst = login === 'option' && !word.startsWith('-') && IS_ACCOUNT.test(word)
    if (login === 'option') login = nextOf(word)
    else if (login === 'value') login = 'option'
    if (LOGINS.has(program)) login = 'option'
    copies ||= COPIERS.has(program) || (program === 'git' && COPIES_OF_GIT.has(words[index + 1] ?? ''))
    const isPath = copies && IS_ACCOUNT_WITH_PATH.test(word)
    if (/[;|&]/u.test(word)) copies = false
    const isPrompt = IS_PROMPT.test(word) || (BEGINS_PROMPT.test(word) && ENDS_PROMPT.test(words[index + 1] ?? ''))
    return isFirst || isPath || isPrompt || IS_ADDRESS.test(word)
  }
  return words.filter((word, index) => !isAccount(word, index)).join(' ')
}

/** What is expected behind a word of a command that logs in: an option's value, an option or the account, or neither. */
function nextOf(word: string): 'option' | 'value' | null {
  if (!word.startsWith('-')) return null
  return OPTIONS_WITH_VALUE.has(word) ? 'value' : 'option'
}
