import { expect, it } from 'vitest'
import { repairCommand } from './repair-command.ts'

it.each([
  ['1s -la /etc', 'ls -la /etc'],
  ['man 1s', 'man ls'],
  ['ls -1 | 1ess', 'ls -1 | less'],
  ['ech0 $HOME', 'echo $HOME'],
  ['grep -rn "TODO" src/ | wc -1', 'grep -rn "TODO" src/ | wc -l'],
])('reads %j as %j', (read, command) => {
  expect(repairCommand(read)).toBe(command)
})

it.each(['ls -1', 'cp 1s 15', './1s', 'head -10 file', 'mkdir IO', 'wc -l'])('leaves %j as it is', (command) => {
  expect(repairCommand(command)).toBe(command)
})
