import { expect, it } from 'vitest'
import { withoutAccounts } from './without-accounts.ts'

it.each([
  ['ssh -p 22 admin@web1.example.com uptime', 'ssh -p 22 uptime'],
  ['ssh admin@web1.example.com; mail anna@firma.de', 'ssh mail anna@firma.de'],
  ['scp a.pdf admin@web1.example.com:/srv anna@firma.de', 'scp a.pdf anna@firma.de'],
  ['rsync -a x admin@web1.example.com:/srv | mail anna@firma.de:', 'rsync -a x | mail anna@firma.de:'],
  ['ssh -l admin web1 anna@firma.de', 'ssh -l admin web1 anna@firma.de'],
  ['open https://anna@git.example.com/shop', 'open'],
])('leaves out of %j what is no mail address', (line, rest) => {
  expect(withoutAccounts(line)).toBe(rest)
})
