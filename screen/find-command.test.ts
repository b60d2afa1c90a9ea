import { expect, it } from 'vitest'
import { cutMisread, cutPrompt, findPrompt, isKeystroke } from './find-command.ts'

it.each([
  ['cdeep@cdeep-laptop:~$ man -k directories', 'man -k directories'],
  ['root@web1:/srv# ls', 'ls'],
  ['[mila@lab ~]$ cd ~/projects', 'cd ~/projects'],
  // As the engine reads the bracket.
  ['[mila@lab ~1$ chmod 755 deploy.sh', 'chmod 755 deploy.sh'],
  [String.raw`C:\Users\mila> dir`, 'dir'],
  [String.raw`PS C:\shop> Get-Item`, 'Get-Item'],
  ['$ npm run build', 'npm run build'],
  ['>>> print(1)', 'print(1)'],
  // A sign that is seen twice.
  ['cdeep@cdeep-laptop:~$ % man ls', 'man ls'],
  ['mila@build-01:~/shop$', ''],
  ['$', ''],
])('cuts the prompt off %j', (line, command) => {
  expect(cutPrompt(line)).toBe(command)
})

it.each(['File Edit View', 'drwxr-xr-x 8 root root 4096 nginx', '# Title', 'Costs $5 a month', 'a > b', '$5'])(
  'finds no prompt in %j',
  (line) => expect(cutPrompt(line)).toBeNull(),
)

it.each([
  ['Ctrl+Shift+P', true],
  ['Alt + F4', true],
  ['Cmd+Enter', true],
  ['Ctrl', false],
  ['Shift the table', false],
])('says whether %j is what a recorder shows of keys: %j', (line, isKeys) => {
  expect(isKeystroke(line)).toBe(isKeys)
})

it('knows a prompt again of which letters were misread', () => {
  const prompt = findPrompt('cdeep@cdeep-laptop:~$ who') ?? ''
  expect(prompt).toBe('cdeep@cdeep-laptop:~$')
  expect(cutMisread('cdeepecdeep-laptop:~$ clear', prompt)).toBe('clear')
  expect(cutMisread('cdeepecdeep-1aptop:~$', prompt)).toBe('')
  expect(cutMisread('The price of the box is 5 $ now', prompt)).toBeNull()
})
