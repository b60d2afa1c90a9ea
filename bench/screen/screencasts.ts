import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type ScreencastName = 'terminal' | 'settings'

/** Spoken by the voice of a screencast, and a caption of it. */
type Sentence = { fromS: number; text: string }

export const LENGTH_S = 90
export const SIZE = { width: 1280, height: 720 }
const MONO = '/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf'
const SANS = '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf'

/** None of it names a value that an answer needs: those are on the screen only. */
export const NARRATION: Record<ScreencastName, readonly Sentence[]> = {
  terminal: [
    { fromS: 1, text: 'In this lesson we set the clock of a computer from the network.' },
    { fromS: 7, text: 'First we install the package that we need.' },
    { fromS: 14, text: 'This takes a few seconds.' },
    { fromS: 23, text: 'Next we open its configuration file in the editor.' },
    { fromS: 37, text: 'Here we add the time server of our building.' },
    { fromS: 48, text: 'We save the file and leave the editor.' },
    { fromS: 60, text: 'For the change to take effect, we restart the service.' },
    { fromS: 69, text: 'At last we check that our source is used.' },
    { fromS: 80, text: 'The star in front of the name says that all is well.' },
  ],
  settings: [
    { fromS: 1, text: 'Today we connect the mail program to our own mailbox.' },
    { fromS: 9, text: 'We open the settings from the menu.' },
    { fromS: 19, text: 'This window shows what belongs to one account.' },
    { fromS: 24, text: 'We fill in where our mail is kept, as you see here.' },
    { fromS: 32, text: 'The port has to be changed as well.' },
    { fromS: 40, text: 'We also choose how the connection is protected.' },
    { fromS: 52, text: 'Then we say how often the program looks for new mail.' },
    { fromS: 64, text: 'Deleted messages go where you can still find them.' },
    { fromS: 80, text: 'We close the window, and the first messages arrive.' },
  ],
}

/** @returns the path of a screencast of 90 seconds with a spoken narration, made for this call */
export function makeScreencast(name: ScreencastName, folder: string): string {
  const draw = name === 'terminal' ? drawTerminal(folder) : drawSettings(folder)
  const spoken = NARRATION[name].map(({ text }, index) => {
    const path = join(folder, `${name}-${index}.wav`)
    run('flite', ['-voice', 'slt', '-t', text, '-o', path])
    return path
  })
  const delayed = NARRATION[name].map(({ fromS }, index) => `[${index + 1}]adelay=${fromS * 1000}:all=1[a${index}]`)
  const mixed = `${spoken.map((_, index) => `[a${index}]`).join('')}amix=inputs=${spoken.length}:normalize=0,apad[a]`
  const graph = [`[0]${draw.filters.join(',')}[v]`, ...delayed, mixed].join(';')
  const script = join(folder, `${name}.graph`)
  writeFileSync(script, graph)
  const path = join(folder, `${name}.mp4`)
  const picture = ['-f', 'lavfi', '-i', `color=c=${draw.ground}:s=${SIZE.width}x${SIZE.height}:r=5:d=${LENGTH_S}`]
  const audio = spoken.flatMap((wav) => ['-i', wav])
  const video = ['-c:v', 'libx264', '-crf', '28', '-preset', 'veryfast', '-pix_fmt', 'yuv420p']
  const map = ['-filter_complex_script', script, '-map', '[v]', '-map', '[a]', '-t', String(LENGTH_S)]
  run('ffmpeg', ['-v', 'error', '-y', ...picture, ...audio, ...map, ...video, '-c:a', 'aac', path])
  return path
}

type Drawing = { ground: string; filters: string[] }
type Line = { text: string; x: number; y: number; fromS: number; untilS: number; font: string; color: string }

function drawTerminal(folder: string): Drawing {
  const prompt = 'trainer@workshop:~$ '
  // The editor hides what was typed before it, and its end brings it back.
  const before = [
    ...typed(0, prompt, 'sudo apt install chrony', 5, 34),
    terminalLine(1, 'Reading package lists... Done', 11, 34),
    terminalLine(2, 'The following NEW packages will be installed:', 12, 34),
    terminalLine(3, '  chrony', 12, 34),
    terminalLine(4, 'Need to get 296 kB of archives.', 13, 34),
    terminalLine(5, 'Setting up chrony (4.3-2+deb12u1) ...', 17, 34),
    terminalLine(6, 'Processing triggers for man-db (2.11.2-2) ...', 18, 34),
    ...typed(7, prompt, 'sudo nano /etc/chrony/chrony.conf', 25, 34),
  ]
  const editor = [
    terminalLine(0, '  GNU nano 7.2               /etc/chrony/chrony.conf', 34, 58),
    terminalLine(2, '# Sources of the exact time', 34, 58),
    ...typed(3, '', 'server ntp1.harbour.example iburst', 39, 58),
    terminalLine(4, 'driftfile /var/lib/chrony/chrony.drift', 34, 58),
    terminalLine(5, 'makestep 1 3', 34, 58),
    terminalLine(18, '^G Help      ^O Write Out    ^W Where Is    ^K Cut', 34, 58),
    terminalLine(19, '^X Exit      ^R Read File    ^\\ Replace     ^U Paste', 34, 58),
  ]
  const back = before.filter(({ untilS }) => untilS === 34).map((line) => ({ ...line, fromS: 58, untilS: LENGTH_S }))
  const after = [
    ...typed(8, prompt, 'sudo systemctl restart chrony', 61, LENGTH_S),
    ...typed(9, prompt, 'chronyc sources', 70, LENGTH_S),
    terminalLine(10, 'MS Name/IP address         Stratum Poll Reach LastRx Last sample', 75, LENGTH_S),
    terminalLine(11, '^* ntp1.harbour.example          2   6    17    12   +85us', 75, LENGTH_S),
  ]
  return { ground: '0x101418', filters: textFilters([...before, ...editor, ...back, ...after], folder, 'terminal') }
}

/** A prompt behind which a command appears in three pieces, a second each. */
function typed(row: number, prompt: string, command: string, fromS: number, untilS: number): Line[] {
  const third = Math.ceil(command.length / 3)
  const pieces = [0, third, third * 2].map((length, index) => {
    return terminalLine(
      row,
      prompt + command.slice(0, length),
      fromS + index - (index === 0 ? 2 : 0),
      fromS + index + 1,
    )
  })
  return [...pieces, terminalLine(row, prompt + command, fromS + 3, untilS)].filter(({ text }) => text !== '')
}

function terminalLine(row: number, text: string, fromS: number, untilS: number): Line {
  return { text, x: 16, y: 16 + row * 34, fromS, untilS, font: MONO, color: '0xd8dee4' }
}

function drawSettings(folder: string): Drawing {
  const label = (text: string, x: number, y: number, fromS = 18, untilS = LENGTH_S): Line => {
    return { text, x, y, fromS, untilS, font: SANS, color: '0x202124' }
  }
  const bar = ['File', 'Edit', 'View', 'Tools', 'Help'].map((text, index) => label(text, 20 + index * 90, 12, 0))
  const folders = ['Inbox', 'Drafts', 'Sent', 'Archive'].map((text, index) => label(text, 24, 80 + index * 44, 0, 18))
  const menu = ['Address Book', 'Message Filters', 'Account Settings', 'Add-ons'].map((text, index) => {
    return label(text, 306, 64 + index * 44, 10, 18)
  })
  const sections = ['Server Settings', 'Copies & Folders', 'Composition', 'Storage'].map((text, index) => {
    return label(text, 150, 180 + index * 48)
  })
  const fields = [
    label('Account Settings - Workshop', 470, 112),
    label('Server Name:', 470, 180),
    label('imap.harbour', 700, 180, 22, 24),
    label('imap.harbour.example', 700, 180, 24),
    label('Port:', 470, 240),
    label('143', 700, 240, 18, 32),
    label('993', 700, 240, 32),
    label('Connection security:', 470, 300),
    label('None', 700, 300, 18, 42),
    label('SSL/TLS', 700, 300, 42),
    label('Check for new messages every', 470, 380),
    label('10', 810, 380, 18, 54),
    label('15', 810, 380, 54),
    label('minutes', 880, 380),
    label('When I delete a message:', 470, 440),
    label('Move it to Trash', 760, 440),
    label('Cancel', 880, 600),
    label('OK', 1030, 600),
  ]
  const boxes = [
    box(0, 0, 1280, 44, '0xe4e6ea', 0),
    box(290, 46, 260, 190, '0xffffff', 10, 18),
    box(292, 146, 256, 40, '0xb9d2f5', 10, 18),
    box(130, 96, 1020, 560, '0xf7f7f8', 18),
    box(140, 168, 250, 44, '0xd4e2f7', 18),
    ...[
      [690, 172, 320],
      [690, 232, 100],
      [690, 292, 160],
      [800, 372, 60],
      [750, 432, 240],
    ].map(([x, y, width]) => {
      return `drawbox=x=${x}:y=${y}:w=${width}:h=42:color=0x9aa0a6:t=1:enable='between(t,18,${LENGTH_S})'`
    }),
  ]
  const text = textFilters([...bar, ...folders, ...menu, ...sections, ...fields], folder, 'settings')
  return { ground: '0xffffff', filters: [...boxes, ...text] }
}

function box(x: number, y: number, width: number, height: number, color: string, fromS: number, untilS = LENGTH_S) {
  return `drawbox=x=${x}:y=${y}:w=${width}:h=${height}:color=${color}:t=fill:enable='between(t,${fromS},${untilS})'`
}

function textFilters(lines: readonly Line[], folder: string, name: ScreencastName): string[] {
  return lines.map(({ text, x, y, fromS, untilS, font, color }, index) => {
    const file = join(folder, `${name}-line-${index}.txt`)
    writeFileSync(file, text)
    // A frame at the end of a line belongs to what follows it.
    const when = `enable='gte(t,${fromS})*lt(t,${untilS})'`
    return `drawtext=fontfile=${font}:textfile=${file}:expansion=none:fontsize=22:fontcolor=${color}:x=${x}:y=${y}:${when}`
  })
}

function run(program: string, args: readonly string[]): void {
  const { stderr, status } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} cannot make a screencast: ${stderr}`)
}
