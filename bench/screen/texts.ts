import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InterfaceLanguage } from '#contract/languages.ts'

/** A line that is typed behind a prompt, and what is printed below. */
interface Exchange {
  command: string
  output: readonly string[]
}

/** What terminals show: commands of many kinds, most of them with characters that are easily mistaken for others. */
const EXCHANGES: readonly Exchange[] = [
  { command: 'git status --short', output: [' M src/app.ts', '?? notes.txt'] },
  { command: 'git commit -m "Fix the footer"', output: ['[main 4f1c0de] Fix the footer'] },
  { command: 'git log --oneline -3', output: ['4f1c0de Fix the footer', '91ab30f Add tests'] },
  { command: 'npm install --save-exact zod@4.6.7', output: ['added 1 package in 2s'] },
  { command: 'npm run build', output: ['> build', '> tsc && vite build'] },
  { command: 'docker ps -a', output: ['CONTAINER ID   IMAGE     STATUS'] },
  { command: 'docker run --rm -it -p 8080:80 nginx', output: [] },
  { command: 'kubectl get pods -n staging', output: ['web-7d9c   1/1   Running   0   4h'] },
  { command: 'ssh admin@10.0.12.7', output: ['Last login: Mon Mar 2 09:14:51'] },
  { command: 'sudo apt-get install -y ffmpeg', output: ['Reading package lists... Done'] },
  { command: 'tar -xzf backup-2024.tar.gz -C /srv', output: [] },
  { command: 'grep -rn "TODO" src/ | wc -l', output: ['41'] },
  { command: 'find . -name "*.log" -mtime +7 -delete', output: [] },
  { command: 'ls -la /etc/nginx', output: ['total 72', 'drwxr-xr-x 8 root root 4096 nginx'] },
  { command: 'cd ~/projects/shop', output: [] },
  { command: 'mkdir -p build/out', output: [] },
  { command: 'cp report.csv /tmp/report-old.csv', output: [] },
  { command: 'chmod 755 deploy.sh', output: [] },
  { command: 'curl -sS https://example.com/health', output: ['{"ok":true}'] },
  { command: 'python3 -m venv .venv', output: [] },
  { command: 'pip install -r requirements.txt', output: ['Collecting flask==3.0.2'] },
  { command: 'psql -U shop -d orders', output: ['psql (15.6)'] },
  { command: 'systemctl restart nginx', output: [] },
  { command: 'journalctl -u nginx --since today', output: ['-- No entries --'] },
  { command: 'export NODE_ENV=production', output: [] },
  { command: 'echo $HOME', output: ['/home/mila'] },
  { command: 'cat /etc/hostname', output: ['build-01'] },
  { command: 'make -j4 all', output: ["make: Nothing to be done for 'all'."] },
  { command: 'vim config.yaml', output: [] },
  { command: 'rsync -av site/ web1:/var/www/', output: ['sending incremental file list'] },
]

export const PROMPTS = ['mila@build-01:~/shop$ ', '$ ', 'root@web1:/srv# ', '[mila@lab ~]$ '] as const
export const DOS_PROMPT = String.raw`C:\Users\mila> `

/** What a terminal shows, and which of its lines were typed. */
export interface Session {
  shown: string[]
  /** Without the prompts, which a reader cuts off. */
  lines: string[]
  commands: string[]
}

/** Some exchanges behind one prompt, from `first` on, and an empty prompt below. */
export function makeSession(first: number, count: number, prompt: string): Session {
  const taken = Array.from({ length: count }, (_, index) => EXCHANGES[(first + index) % EXCHANGES.length]).filter(
    (each) => each !== undefined,
  )
  const shown = taken.flatMap(({ command, output }) => [`${prompt}${command}`, ...output])
  return {
    shown: [...shown, prompt.trimEnd()],
    lines: taken.flatMap(({ command, output }) => [command, ...output]),
    commands: taken.map(({ command }) => command),
  }
}

export const CODE: readonly (readonly string[])[] = [
  [
    "import { readFile } from 'node:fs/promises'",
    '',
    'export async function loadUsers(path: string): Promise<User[]> {',
    "  const text = await readFile(path, 'utf8')",
    '  const rows = JSON.parse(text) as User[]',
    '  return rows.filter((row) => row.active && row.id > 0)',
    '}',
  ],
  [
    'def total(prices, rate=0.19):',
    '    """Adds the tax to a list of prices."""',
    '    net = sum(price for price in prices)',
    '    return round(net * (1 + rate), 2)',
    '',
    "if __name__ == '__main__':",
    '    print(total([9.99, 100, 3.5]))',
  ],
  [
    'server:',
    '  host: 0.0.0.0',
    '  port: 8443',
    '  workers: 12',
    'logging:',
    '  level: WARNING',
    '  file: /var/log/shop/app.log',
  ],
  [
    'SELECT o.id, c.name, SUM(l.amount) AS total',
    'FROM orders o',
    'JOIN customers c ON c.id = o.customer_id',
    "WHERE o.created_at >= '2024-01-01'",
    'GROUP BY o.id, c.name',
    'ORDER BY total DESC LIMIT 10;',
  ],
]

export const FILES = [
  'Annual report 2024.odt',
  'budget-v3.ods',
  'Holiday photos',
  'invoice_10492.pdf',
  'logo-final.svg',
  'Meeting notes.txt',
  'README.md',
  'Templates',
  'train.py',
  'backup.tar.gz',
] as const

export const PARAGRAPH = [
  'How to record an expense',
  'Open the expense form from the menu Tools.',
  'Enter the amount, the date and the cost centre 4711.',
  'Attach a photo of the receipt, at most 10 MB.',
  'Click Submit. Your manager gets a message.',
] as const

export const TABLE: readonly (readonly string[])[] = [
  ['Customer', 'City', 'Quantity', 'Price'],
  ['Baker Ltd', 'Leeds', '12', '49.90'],
  ['Novak', 'Brno', '7', '1250.00'],
  ['Ito Works', 'Osaka', '300', '0.85'],
  ['Quick Parts', 'Dallas', '41', '18.25'],
]

const MESSAGES = join(import.meta.dirname, '../../web/messages')
/** Short ones are labels of buttons, longer ones sentences. */
const LENGTH = { least: 8, most: 46 }
/** Without a place for a value, a plural or a mark. */
const isPlain = (text: unknown): text is string => typeof text === 'string' && !/[{}<>\n]/.test(text)

/** Texts of this app in one of its languages, as screens of any app have them. */
export function interfaceTexts(language: InterfaceLanguage, first: number, count: number): string[] {
  const all = JSON.parse(readFileSync(join(MESSAGES, `${language}.json`), 'utf8')) as Record<string, unknown>
  const fit = Object.values(all)
    .filter(isPlain)
    .filter((text) => text.length >= (language === 'zh' ? 4 : LENGTH.least) && text.length <= LENGTH.most)
  return Array.from({ length: count }, (_, index) => fit[(first * 37 + index * 11) % fit.length] ?? '')
}
