import { expect, it } from 'vitest'
import { findSecret } from './find-secret.ts'

/** Written in two parts, so that no scanner takes them for real ones. */
it.each([
  [`OPENAI_API_KEY=${'sk-'}proj-${'a1B2'.repeat(6)}`, 'key'],
  [`${'AKI'}AIOSFODNN7EXAMPLE`, 'key'],
  [`${'gh'}p_${'a1B2c3D4'.repeat(4)}`, 'key'],
  [`-----BEGIN RSA ${'PRIVATE'} KEY-----`, 'key'],
  [`Authorization: Bearer ${'abc123.'.repeat(4)}`, 'token'],
  [`${'ey'}JhbGciOiJI.${'ey'}JzdWIiOiIx.x`, 'token'],
  ['Password: hunter2', 'password'],
  ['Passwort: geheim', 'password'],
  ['4242 4242 4242 4242', 'card'],
  ['write to mila@example.com', 'email'],
  ['Anna Meier <anna.meier@firma.de>', 'email'],
  ['mila @ example.com', 'email'],
  ['git config user.email anna@firma.de', 'email'],
  ['git commit --author "Anna <anna@firma.de>"', 'email'],
  ['ssh-keygen -t ed25519 -C anna@firma.de', 'email'],
  ['Ask for ssh access: anna@firma.de', 'email'],
  ['ssh is set up by mila@example.com', 'email'],
  ['ssh admin@web1.example.com  # or ask anna@firma.de', 'email'],
  ['scp offer.pdf anna.meier@gmail.com:', 'email'],
  ['ssh mila@web.de', 'email'],
  ['mail -s report anna@firma.de', 'email'],
  [`git clone https://anna:${'hunter2'}@git.example.com/shop.git`, 'password'],
  [`db ${'aZ3kQ9'.repeat(5)}`, 'key'],
  [`git clone https://${'gh'}p_${'a1B2c3D4'.repeat(5)}@github.com/team/shop.git`, 'key'],
  [`git clone https://${'glp'}at-${'a1B2c3D4'.repeat(3)}@gitlab.com/team/shop.git`, 'token'],
  ['curl https://build@host.example.com/x?token=abcdef123', 'key'],
])('finds what should stay private in %j', (line, kind) => {
  expect(findSecret(line)).toBe(kind)
})

it.each([
  'ls -a',
  'man -k directories',
  'ssh admin@10.0.12.7',
  'ssh admin@web1.example.com',
  '$ ssh -p 2222 -i keys/deploy.pem -A deploy@web1.example.com uptime',
  'sudo ssh -oBatchMode=yes root@db.example.com "df -h"',
  'ssh-copy-id admin@web1.example.com',
  'sftp admin@files.example.com',
  'scp report.pdf admin@web1.example.com:/srv/',
  'rsync -av --delete ./site/ deploy@web1.example.com:/var/www',
  'rsync -av deploy@web1.example.com::backup .',
  'git clone git@github.com:team/shop.git',
  'git clone build@git.example.com:team/shop.git',
  'git remote add origin ssh://build@git.example.com/team/shop.git',
  'git push https://anna@git.example.com/team/shop.git',
  'admin@web1.example.com:~$ ls -la',
  '[admin@web1.example.com ~]# whoami',
  'cdeep@cdeep-laptop:~$',
  'Enter your password',
  'drwxr-xr-x 8 root root 4096 nginx',
  'tar -xzf backup-2024.tar.gz -C /srv',
  '1234 5678 9012 3456',
  'internationalization-of-everything',
])('finds nothing in %j', (line) => {
  expect(findSecret(line)).toBeNull()
})
