import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InterfaceLanguage } from '#contract/languages.ts'
import { logProgress } from '../scenario.ts'
import { findCase, keepCase, pictureOf, type ScreenCase } from './screen-case.ts'
import { CODE, FILES, interfaceTexts, makeSession, PARAGRAPH, PROMPTS, TABLE } from './texts.ts'
import { openSession } from './x-session.ts'

/** Debian's packages that the captured frames are made with. */
export const PROGRAMS = [
  'xvfb',
  'openbox',
  'x11-utils',
  'x11-xserver-utils',
  'xdotool',
  'imagemagick',
  'xterm',
  'qterminal',
  'mousepad',
  'featherpad',
  'thunar',
  'zenity',
  'libreoffice-writer',
  'libreoffice-calc',
  'libreoffice-gtk3',
  'gimp',
  'firefox-esr',
  'dbus-x11',
  'adwaita-icon-theme',
  'fonts-noto-core',
  'fonts-noto-cjk',
  'fonts-hack',
]

interface Capture extends ScreenCase {
  command: string[]
  title: string
  env?: Record<string, string>
  keys?: string[]
  /** Sub-pixel smoothing. */
  isSmoothed: boolean
}

const SIZES = [
  [1280, 720],
  [1920, 1080],
  [1920, 1080],
  [2560, 1440],
] as const
const CRFS = [23, 28, 32]
const XTERM_FONTS = ['DejaVu Sans Mono', 'Liberation Mono', 'Hack']
const XTERM_COLOURS = [
  ['black', 'white'],
  ['#d0d0d0', '#101418'],
  ['#eeeeec', '#300a24'],
  ['#586e75', '#fdf6e3'],
] as const
const DARK = { GTK_THEME: 'Adwaita:dark' }

type Common = Pick<Capture, 'name' | 'width' | 'height' | 'crf' | 'isSmoothed' | 'isComplete'>

/** What differs from frame to frame in the same way for all programs. */
function common(program: string, index: number): Common {
  const [width, height] = SIZES[index % SIZES.length] ?? SIZES[0]
  const crf = CRFS[index % CRFS.length] ?? 23
  return { name: `${program}-${index}`, width, height, crf, isSmoothed: index % 2 === 1, isComplete: false }
}

function makeTerminals(folder: string): Capture[] {
  return Array.from({ length: 22 }, (_, index) => {
    const base = common('xterm', index)
    const session = makeSession(index * 5, 4 + (index % 5), PROMPTS[index % PROMPTS.length] ?? '$ ')
    const path = write(folder, `${base.name}.txt`, session.shown)
    const [foreground, background] = XTERM_COLOURS[index % XTERM_COLOURS.length] ?? XTERM_COLOURS[0]
    // The bitmap fonts of X are as small as text gets.
    const font =
      index % 11 === 10
        ? ['-fn', '10x20']
        : ['-fa', XTERM_FONTS[index % XTERM_FONTS.length] ?? '', '-fs', String(11 + (index % 4) * 2)]
    const look = ['-fg', foreground, '-bg', background, '-geometry', '90x28+40+40', '-T', 'terminal']
    const show = ['-e', 'sh', '-c', `printf "%s" "$(cat ${path})"; sleep 600`]
    return {
      ...base,
      isComplete: false,
      language: 'en',
      lines: session.lines,
      commands: session.commands,
      command: ['xterm', ...font, ...look, ...show],
      title: 'terminal',
    }
  })
}

function makeQtTerminals(folder: string): Capture[] {
  return Array.from({ length: 2 }, (_, index) => {
    const base = common('qterminal', index + 1)
    const session = makeSession(index * 7 + 3, 5, PROMPTS[index] ?? '$ ')
    const path = write(folder, `${base.name}.txt`, session.shown)
    const script = write(folder, `${base.name}.sh`, ['#!/bin/sh', `printf "%s" "$(cat ${path})"`, 'sleep 600'])
    return {
      ...base,
      language: 'en',
      lines: session.lines,
      commands: session.commands,
      command: ['dbus-launch', '--exit-with-session', 'qterminal', '-e', `sh ${script}`],
      title: 'sh|qterminal|QTerminal|Shell',
      env: { QT_SCALE_FACTOR: index === 0 ? '1' : '1.25' },
    }
  })
}

function makeEditors(folder: string): Capture[] {
  return CODE.flatMap((lines, index) => {
    const shown = lines.filter((line) => line !== '').map((line) => line.trim())
    return ['mousepad', 'featherpad'].map((program, which): Capture => {
      const base = common(program, index + which)
      const path = write(folder, `${base.name}.txt`, lines)
      return {
        ...base,
        language: 'en',
        lines: shown,
        commands: [],
        command: ['dbus-launch', '--exit-with-session', program, path],
        title: base.name,
        env: which === 0 && index % 2 === 0 ? DARK : { QT_SCALE_FACTOR: index % 2 === 0 ? '1' : '1.5' },
      }
    })
  })
}

function makeDialogs(): Capture[] {
  const languages = ['en', 'de', 'es', 'fr', 'pt', 'pl', 'tr', 'ar', 'hi', 'zh'] as const
  return languages.map((language: InterfaceLanguage, index) => {
    const base = common('zenity', index)
    const lines = interfaceTexts(language, index, 5)
    const [title = '', ...items] = lines
    const entries = items.map((item) => `--add-entry=${item}`)
    return {
      ...base,
      language,
      lines,
      commands: [],
      command: ['zenity', '--forms', '--title=dialog', `--text=${title}`, '--width=700', ...entries],
      title: 'dialog',
      env: index % 2 === 0 ? {} : { ...DARK, GDK_DPI_SCALE: '1.25' },
    }
  })
}

function makeFolders(folder: string): Capture[] {
  const files = join(folder, 'Projects')
  mkdirSync(files, { recursive: true })
  for (const name of FILES) writeFileSync(join(files, name), name)
  return [0, 1, 2, 3].map((index) => ({
    ...common('thunar', index),
    language: 'en',
    lines: FILES,
    commands: [],
    command: ['dbus-launch', '--exit-with-session', 'thunar', files],
    title: 'Projects',
    // Names beside their icons, in one line.
    keys: ['ctrl+2'],
    env: index % 2 === 0 ? {} : DARK,
  }))
}

function makeOffice(folder: string): Capture[] {
  const profile = `-env:UserInstallation=file://${join(folder, 'office')}`
  return [0, 1, 2, 3, 4, 5].map((index) => {
    const base = common('office', index)
    const isTable = index % 2 === 1
    const rows = isTable ? TABLE.map((row) => row.join(',')) : PARAGRAPH
    const path = write(folder, `${base.name}.${isTable ? 'csv' : 'txt'}`, rows)
    return {
      ...base,
      language: 'en',
      lines: isTable ? TABLE.flat() : PARAGRAPH,
      commands: [],
      command: ['soffice', profile, '--norestore', '--nologo', isTable ? '--calc' : '--writer', path],
      title: base.name,
      // The dialog of an import, and of a first start.
      keys: isTable ? ['Return', 'Escape'] : ['Escape'],
      env: { SAL_FORCEDPI: index > 3 ? '120' : '96' },
    }
  })
}

const GIMP_MENU = ['File Edit Select View Image Layer Colors Tools Filters Windows Help']
const GIMP_NEW = ['Template:', 'Image Size', 'Width:', 'Height:', 'Advanced Options', 'Help', 'Reset', 'Cancel']

function makeGimp(): Capture[] {
  return [1, 2].map((index) => ({
    ...common('gimp', index),
    language: 'en',
    lines: index === 1 ? GIMP_MENU : GIMP_NEW,
    commands: [],
    command: ['gimp', '--no-splash', '--new-instance'],
    title: 'GNU Image Manipulation Program',
    keys: index === 1 ? [] : ['ctrl+n'],
  }))
}

function makePages(folder: string): Capture[] {
  const languages = ['en', 'de', 'fr', 'pl', 'es', 'tr', 'en', 'pt'] as const
  return languages.map((language, index) => {
    const base = common('firefox', index)
    const lines = interfaceTexts(language, index + 20, 9)
    const [heading = '', ...others] = lines
    const isDark = index % 2 === 1
    const style = `font:${13 + index}px/1.7 "DejaVu Sans",sans-serif;margin:3em;${isDark ? 'background:#1c1b22;color:#fbfbfe' : ''}`
    const html = [
      `<!doctype html><meta charset=utf-8><title>${base.name}</title><body style='${style}'>`,
      `<h1>${heading}</h1>`,
      ...others.slice(0, 5).map((text) => `<p>${text}</p>`),
      ...others.slice(5).map((text) => `<p><button style='font:inherit'>${text}</button></p>`),
    ]
    const path = write(folder, `${base.name}.html`, html)
    const profile = join(folder, `profile-${index}`)
    mkdirSync(profile, { recursive: true })
    const off = ['browser.aboutwelcome.enabled', 'datareporting.policy.dataSubmissionEnabled']
    writeFileSync(join(profile, 'user.js'), off.map((name) => `user_pref("${name}", false);\n`).join(''))
    const command = ['firefox-esr', '--no-remote', '--profile', profile, '--new-window', `file://${path}`]
    return { ...base, language, lines, commands: [], command, title: base.name }
  })
}

function write(folder: string, name: string, lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, lines.join('\n'))
  return path
}

const fontsOf = (smoothing: string) => `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include>/etc/fonts/fonts.conf</include><match target="font"><edit name="rgba" mode="assign"><const>${smoothing}</const></edit>
<edit name="antialias" mode="assign"><bool>true</bool></edit></match></fontconfig>`

export function listCaptures(folder: string): Capture[] {
  mkdirSync(folder, { recursive: true })
  return [
    ...makeTerminals(folder),
    ...makeQtTerminals(folder),
    ...makeEditors(folder),
    ...makeDialogs(),
    ...makeFolders(folder),
    ...makeOffice(folder),
    ...makeGimp(),
    ...makePages(folder),
  ]
}

const FIRST_DISPLAY = 91

/** Captures the frames that are not in the folder yet. @returns those that are there */
export async function capture(folder: string, work: string): Promise<ScreenCase[]> {
  const captures = listCaptures(work)
  const missing = captures.filter((each) => findCase(folder, each) === null)
  const groups = Map.groupBy(missing, ({ width, height, isSmoothed }) => `${width} ${height} ${isSmoothed}`)
  let display = FIRST_DISPLAY
  for (const group of groups.values()) {
    const [first] = group
    if (first === undefined) continue
    const smoothing = first.isSmoothed ? 'rgb' : 'none'
    const fonts = write(work, `fonts-${smoothing}.conf`, [fontsOf(smoothing)])
    const home = join(work, 'home')
    mkdirSync(home, { recursive: true })
    const env = { FONTCONFIG_FILE: fonts, HOME: home }
    const session = await openSession(display++, { width: first.width, height: first.height, env })
    for (const each of group) {
      logProgress(`${each.name} at ${each.width} × ${each.height}`)
      try {
        await session.capture(each.command, { ...each, file: pictureOf(folder, each) })
        keepCase(folder, each)
      } catch (error) {
        console.error(`${each.name} could not be captured`, error)
      }
    }
    session.close()
  }
  return captures.map((each) => findCase(folder, each)).filter((each) => each !== null)
}
