/** Names that people type, by which letters that look alike are told apart. */
const NAMES = new Set(
  `alias apropos apt apt-get awk base64 bash brew bundle bzip2 cal cargo cat cd chmod chown clear cmake code composer cp
  cron crontab curl cut date dd deno df diff dig dir dnf docker docker-compose dotnet du echo emacs env exit export false
  ffmpeg file find flask free gcc gem git go gradle grep groups gunzip gzip head helm history hostname htop id ifconfig
  ip ipconfig java javac jobs journalctl jq kill killall kubectl less lfs ln locate login logout ls lsblk lscpu lsof make
  man md5sum mkdir mongo more mount mv mvn mysql nano netstat nginx nmap node npm npx nslookup nvm openssl pacman passwd
  perl php pill ping pip pip3 pkill pnpm poetry printenv printf ps psql pwd python python3 rails rake reboot redis-cli rm
  rmdir rsync ruby rustc scp screen sed service sh sleep snap sort source sqlite3 ssh ssh-keygen ssl stat su sudo
  systemctl tail tar tee terraform test time tmux top touch tree true tsc type ufw umount uname uniq unzip uptime useradd
  vi vim vite wc wget whatis which who whoami xargs yarn yum zip`.split(/\s+/u),
)
/** What comes behind them is a name as well. */
const TAKE_NAMES = new Set([
  'man',
  'whatis',
  'which',
  'type',
  'sudo',
  'time',
  'watch',
  'xargs',
  'exec',
  'help',
  'whereis',
])

/** Letters of fonts of fixed width that are read for each other. */
const ALIKE: ReadonlyMap<string, string> = new Map([
  ['1', 'l'],
  ['I', 'l'],
  ['|', 'l'],
  ['L', 'l'],
  ['i', 'l'],
  ['0', 'o'],
  ['O', 'o'],
  ['5', 's'],
  ['S', 's'],
])

const shapeOf = (word: string) => Array.from(word, (letter) => ALIKE.get(letter) ?? letter).join('')

const NAME_BY_SHAPE: ReadonlyMap<string, string> = new Map([...NAMES].map((name) => [shapeOf(name), name]))

/** Puts the name of a program in the place of a word that looks like it, such as `1s`, where one is expected. */
export function repairCommand(command: string): string {
  let isName = true
  let name = ''
  return command
    .split(/(\s+)/u)
    .map((word) => {
      if (/^\s*$/u.test(word)) return word
      // Its lines are counted far more often than typed with a number, which it does not take.
      if (name === 'wc' && word === '-1') return '-l'
      const repaired = isName && !NAMES.has(word) ? (NAME_BY_SHAPE.get(shapeOf(word)) ?? word) : word
      if (isName) name = repaired
      isName = TAKE_NAMES.has(repaired) || /^(?:\||&&|\|\||;)$/u.test(word) || (isName && /^-|=/u.test(word))
      return repaired
    })
    .join('')
}

/** Whether a command begins with the name of a program that people know. */
export function beginsWithName(command: string): boolean {
  return NAMES.has(command.split(' ', 1)[0] ?? '')
}
