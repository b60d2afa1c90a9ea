import { describe, expect, it } from 'vitest'
import { normaliseWhisper } from './normalise-whisper.ts'

const CHUNK_MS = 30_000

/** A segment as faster-whisper gives it; `signs` are what it is judged by. */
function segment(text: string, signs: Record<string, unknown> = {}, [start, end] = [0, 29.98]) {
  const words = text.split(' ').map((word, i, all) => ({
    word: ` ${word}`,
    start: start + ((end - start) * i) / all.length,
    end: start + ((end - start) * (i + 1)) / all.length,
  }))
  const usual = { temperature: 0, avg_logprob: -0.25, compression_ratio: 1.2, no_speech_prob: 0.02 }
  return { start, end, text: ` ${text}`, words, ...usual, ...signs }
}

/** What is left of an answer with these segments: of Workers AI, of OpenAI (words beside), and of text alone. */
function textsOf(segments: ReturnType<typeof segment>[], prompt: string | null = null) {
  const text = segments.map((each) => each.text.trim()).join(' ')
  const plain = segments.map(({ words: _words, ...rest }) => rest)
  // OpenAI's words come without any signs around them.
  const beside = segments
    .flatMap(({ words }) => words)
    .map((each) => ({ ...each, word: each.word.replace(/[^\p{L}\p{N}'’]/gu, '') }))
    .filter(({ word }) => word !== '')
  const answers = { cloudflare: { text, segments }, openAi: { text, segments: plain, words: beside }, alone: { text } }
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      normaliseWhisper(answer, CHUNK_MS, prompt)
        .words.map((word) => word.text)
        .join(' '),
    ]),
  )
}

const NOTHING = { cloudflare: '', openAi: '', alone: '' }

describe('over silence and music', { tags: 'fault-26' }, () => {
  it.each([
    ['Thanks for watching!'],
    ['Thank you.'],
    ['you'],
    ['Thank you. Thank you. Thanks for watching!'],
    ['Bye. Bye-bye.'],
    ['Thank you so much for watching. Please subscribe to my channel. See you in the next video.'],
    ["Don't forget to like and subscribe!"],
    ['Subtitles by the Amara.org community'],
    ['Transcription by CastingWords'],
    ['Untertitel der Amara.org-Community'],
    ['Untertitel im Auftrag des ZDF für funk, 2017'],
    ["Sous-titres réalisés par la communauté d'Amara.org"],
    ['Sous-titrage Société Radio-Canada'],
    ['Subtítulos realizados por la comunidad de Amara.org'],
    ['Субтитры сделал DimaTorzok'],
    ['Продолжение следует...'],
    ['ご視聴ありがとうございました'],
    ['시청해주셔서 감사합니다.'],
    ['请不吝点赞 订阅 转发 打赏支持明镜与点点栏目'],
  ])('drops "%s", however confident Whisper is', (text) => {
    expect(textsOf([segment(text, { no_speech_prob: 0.93, avg_logprob: -0.2 })])).toEqual(NOTHING)
    const { cloudflare, alone } = textsOf([segment(text)])
    expect([cloudflare, alone]).toEqual(['', ''])
  })

  it.each([
    ['[Music]'],
    ['[BLANK_AUDIO]'],
    ['[ Silence ]'],
    ['(upbeat music)'],
    ['[MUSIC PLAYING] [APPLAUSE]'],
    ['*sighs*'],
    ['【音楽】'],
    ['♪'],
    ['♪♪♪'],
    ['♪ We are never going home tonight ♪'],
    ['♪ We are never going home ♪ ♪ tonight, tonight ♪'],
    ['🎵 La la la 🎵'],
  ])('drops "%s"', (text) => {
    expect(textsOf([segment(text)])).toEqual(NOTHING)
  })

  it.each([
    ['one that Whisper throws away itself', 'And so we go on.', { no_speech_prob: 0.8, avg_logprob: -1.3 }],
    ['one that compresses too well', 'So so so so and so.', { compression_ratio: 9.7 }],
    ['a song that continues in the next one', '♪ We are never going home', {}],
    ['a closing line where no speech was detected', 'Thank you.', { no_speech_prob: 0.7, avg_logprob: -0.1 }],
    ['who made the subtitles', 'Subtitles by the Amara.org community', {}],
  ])('drops a segment beside real ones: %s', (_, text, signs) => {
    const said = segment('Open the menu.', {}, [0, 2])
    const { cloudflare, openAi } = textsOf([said, segment(text, signs, [10, 14]), segment('Click Save.', {}, [20, 22])])
    expect(cloudflare).toBe('Open the menu. Click Save.')
    expect(openAi).toBe('Open the menu Click Save')
  })

  it.each([
    ['[Music] Open the menu.'],
    ['Open [door closes softly] the menu.'],
    ['(upbeat music) Open the menu.'],
    ['♪ la la la ♪ Open the menu. ♪ la ♪'],
    ['Open the *click* menu.'],
    ['♪ Open the menu.'],
  ])('takes the name of audio out of the text: "%s"', (text) => {
    expect(textsOf([segment(text)])['alone']).toBe('Open the menu.')
  })

  it.each([['（音乐）打开菜单'], ['（ 音乐 ）打开菜单'], ['（掌声）打开菜单']])(
    'knows noises in a script without blanks: "%s"',
    (text) => {
      expect(textsOf([segment(text)])['alone']).toBe('打 开 菜 单')
    },
  )

  it.each([['(müzik) Menüyü aç'], ['(muzyka) Otwórz menu'], ['(موسيقى) افتح القائمة'], ['(संगीत) मेन्यू खोलो']])(
    'knows music in the languages of the page: "%s"',
    (text) => {
      expect(textsOf([segment(text)])['alone']).toBe(text.replace(/^\S+ /, ''))
    },
  )

  it.each([
    ['"Thank you." eleven times', Array.from({ length: 11 }, (_, i) => segment('Thank you.', {}, [i * 2, i * 2 + 1]))],
    ['one word without end', [segment(`${'the '.repeat(80)}the`)]],
    ['a sentence that goes round', [segment("I'm going to show you how to do it. ".repeat(9).trim())]],
  ])('drops a loop: %s', (_, segments) => {
    expect(textsOf(segments)).toEqual(NOTHING)
  })

  it('cuts a loop out of a segment that begins with something else, and says that there was one', () => {
    const text = `Now open the menu and take the first of its entries. ${'And save it. '.repeat(9)}`.trim()
    const answer = { text, segments: [segment(text, { compression_ratio: 3.1 })] }
    const { words, isLooped } = normaliseWhisper(answer, CHUNK_MS)
    expect(words.map((word) => word.text).join(' ')).toBe(
      'Now open the menu and take the first of its entries. And save it.',
    )
    expect(isLooped).toBe(true)
  })

  it.each([
    ['of ordinary text', {}, undefined],
    ['that compresses too well', { compression_ratio: 2.5 }, true],
    ['that compresses too well, over silence', { compression_ratio: 2.5, no_speech_prob: 0.9 }, undefined],
  ])('says of a segment %s whether the recogniser repeated itself', (_, signs, isLooped) => {
    const text = 'Open the File menu, and save.'
    expect(normaliseWhisper({ text, segments: [segment(text, signs)] }, CHUNK_MS).isLooped).toBe(isLooped)
  })

  it('drops a transcript that only repeats the hint', () => {
    const prompt = 'Adapt, Speech Studio, custom speech, Azure.'
    expect(textsOf([segment('Adapt, Speech Studio, custom speech, Azure.')], prompt)).toEqual(NOTHING)
    expect(textsOf([segment('Speech Studio, custom speech, Azure.')], prompt)).toEqual(NOTHING)
  })

  it('knows no language and no confidence where nothing is left', () => {
    const answer = { text: 'Thank you.', language: 'welsh', segments: [segment('Thank you.', { no_speech_prob: 0.9 })] }
    expect(normaliseWhisper(answer, CHUNK_MS)).toEqual({ words: [], language: null })
  })
})

describe('what people do say', () => {
  it.each([
    ['thanks at the end of a sentence', 'That is how you save it. Thank you for watching.'],
    ['a closing line with more in it', 'Thanks for watching this chunk on menus.'],
    ['words that closing lines are made of', 'You see the end of the menu.'],
    ['subtitles as a subject', 'Subtitles by default are off, so switch them on.'],
    ['a tool for subtitles', 'Captions can be made with Amara.org, too.'],
    ['the same three times', 'Click, click, click.'],
    ['numbers', 'Enter 1, 2, 3, 4, 5.'],
    ['brackets with speech in them', 'Save (or Save As) the file.'],
    ['stars', 'Type 2 * 3 * 4.'],
  ])('stays: %s', (_, text) => {
    const { cloudflare, alone } = textsOf([segment(text)])
    expect(cloudflare).toBe(text.replaceAll(' *', ''))
    expect(alone).toBe(text.replaceAll(' *', ''))
  })

  it.each([
    ['where speech is unlikely but was clearly understood', { no_speech_prob: 0.9, avg_logprob: -0.3 }],
    ['that is unclear', { no_speech_prob: 0.3, avg_logprob: -1.8 }],
    ['that compresses as speech does', { compression_ratio: 2.3 }],
    ['without any signs', { no_speech_prob: undefined, avg_logprob: undefined, compression_ratio: undefined }],
  ])('stays: a sentence %s', (_, signs) => {
    expect(textsOf([segment('Open the File menu.', signs)])['cloudflare']).toBe('Open the File menu.')
  })

  it('stays: a word or two of the hint', () => {
    const prompt = 'Adapt, Speech Studio, custom speech, Azure, endpoints, datasets.'
    expect(textsOf([segment('Speech Studio.')], prompt)['alone']).toBe('Speech Studio.')
  })

  it('stays: a closing line in a chunk that is hardly longer', () => {
    const result = normaliseWhisper({ text: 'Thanks for watching!' }, 3_000)
    expect(result.words).toHaveLength(3)
  })
})
