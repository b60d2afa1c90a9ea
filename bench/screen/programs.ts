import { existsSync } from 'node:fs'
import { PROGRAMS } from './captured.ts'

/** Programs by which their packages are known to be there. */
const NEEDED = [
  'Xvfb',
  'openbox',
  'xdotool',
  'import',
  'xterm',
  'qterminal',
  'mousepad',
  'featherpad',
  'thunar',
  'zenity',
  'soffice',
  'gimp',
  'firefox-esr',
]

/** Lists the programs that are not there. */
export function findMissing(): string[] {
  return NEEDED.filter((name) => !existsSync(`/usr/bin/${name}`))
}

/** The command that installs all of them. */
export function installCommand(): string {
  return `apt-get install --no-install-recommends ${PROGRAMS.join(' ')}`
}
