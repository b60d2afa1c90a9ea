import { describe, expect, it } from 'vitest'
import {
  canInstall,
  ensureSpeechTools,
  ensureTranslationTools,
  hasProgram,
  type Machine,
  missingSpeechTools,
  sayWhetherTranslated,
} from './install.ts'

describe('canInstall', () => {
  it.each(['1', 'yes', 'true'])(
    'installs nothing where ADAPT_NO_INSTALL is "%s", not even as root',
    { tags: 'attack-58' },
    (value) => {
      expect(canInstall({ ADAPT_NO_INSTALL: value })).toBe(false)
    },
  )

  it.each([undefined, '', '0'])('installs as root on Debian where ADAPT_NO_INSTALL is %j', (value) => {
    expect(canInstall({ ADAPT_NO_INSTALL: value })).toBe(process.getuid?.() === 0 && hasProgram('apt-get'))
  })
})

interface Given {
  present: string[]
  isRoot: boolean
  complaint?: string
}

function openMachine({ present, isRoot, complaint }: Given) {
  const said: string[] = []
  const installed: (readonly string[])[] = []
  const machine: Machine = {
    env: {},
    hasProgram: (program) => present.includes(program),
    hasFile: () => present.includes('model'),
    canInstall: () => isRoot,
    async installPackages(packages) {
      installed.push(packages)
      if (complaint) return complaint
      present.push('ffmpeg', 'pocketsphinx_continuous', 'model')
      return null
    },
    say: (line) => said.push(line),
  }
  return { machine, said, installed }
}

const ALL = ['ffmpeg', 'pocketsphinx_continuous', 'model']

describe('missingSpeechTools', () => {
  it('names programs and the model', () => {
    expect(missingSpeechTools(openMachine({ present: [...ALL], isRoot: false }).machine)).toEqual([])
    expect(missingSpeechTools(openMachine({ present: ['ffmpeg'], isRoot: false }).machine)).toEqual([
      'pocketsphinx_continuous',
      'the pocketsphinx en-us model',
    ])
  })
})

describe('ensureSpeechTools', () => {
  it('says nothing and installs nothing when all is there', async () => {
    const { machine, said, installed } = openMachine({ present: [...ALL], isRoot: true })
    expect(await ensureSpeechTools(machine)).toBe(true)
    expect([said, installed]).toEqual([[], []])
  })

  it('installs what is missing as root, and says in one line what, why and how to refuse', async () => {
    const { machine, said, installed } = openMachine({ present: ['ffmpeg'], isRoot: true })
    expect(await ensureSpeechTools(machine)).toBe(true)
    expect(installed).toEqual([['ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us']])
    expect(said).toEqual([
      'Installing ffmpeg, pocketsphinx, pocketsphinx-en-us with apt-get to recognise speech, without which videos ' +
        'need captions; this happens once. ADAPT_NO_INSTALL=1 refuses.',
    ])
  })

  it('says the command in one line where it may not install', async () => {
    const { machine, said, installed } = openMachine({ present: ['ffmpeg', 'model'], isRoot: false })
    expect(await ensureSpeechTools(machine)).toBe(false)
    expect(installed).toEqual([])
    expect(said).toEqual([
      'Missing: pocketsphinx_continuous. To recognise speech run: sudo apt-get install ffmpeg pocketsphinx ' +
        'pocketsphinx-en-us (until then videos need captions).',
    ])
  })

  it('continues without a recogniser when the installation fails', async () => {
    const complaint = 'Unable to locate package pocketsphinx'
    const { machine, said } = openMachine({ present: [], isRoot: true, complaint })
    expect(await ensureSpeechTools(machine)).toBe(false)
    expect(said.at(-1)).toContain(complaint)
    expect(said.at(-1)).toContain('sudo apt-get install')
  })
})

describe('sayWhetherTranslated', () => {
  it('installs nothing, and says nothing where an installation can follow the first translation', () => {
    const { machine, said, installed } = openMachine({ present: [], isRoot: true })
    expect(sayWhetherTranslated(machine)).toBe(true)
    expect([said, installed]).toEqual([[], []])
  })

  it('says the command where nothing may be installed', () => {
    const { machine, said } = openMachine({ present: [], isRoot: false })
    expect(sayWhetherTranslated(machine)).toBe(false)
    expect(said).toEqual([
      expect.stringMatching(/^Missing: apertium .* sudo apt-get install apertium apertium-eng-spa/),
    ])
  })
})

describe('ensureTranslationTools', () => {
  it('says the command in one line where it may not install, and what is without it', async () => {
    const { machine, said, installed } = openMachine({ present: ['apertium'], isRoot: false })
    expect(await ensureTranslationTools(machine)).toBe(false)
    expect(installed).toEqual([])
    expect(said).toEqual([
      'Missing: apertium with apertium-eng-spa. To translate trainings run: sudo apt-get install apertium ' +
        'apertium-eng-spa (until then they are in their own language).',
    ])
  })

  it('installs it as root, and goes on without it where that fails', async () => {
    const { machine, said, installed } = openMachine({ present: [], isRoot: true, complaint: 'no network' })
    expect(await ensureTranslationTools(machine)).toBe(false)
    expect(installed).toEqual([['apertium', 'apertium-eng-spa']])
    expect(said).toHaveLength(2)
    expect(said[0]).toContain('ADAPT_NO_INSTALL=1 refuses.')
  })
})
