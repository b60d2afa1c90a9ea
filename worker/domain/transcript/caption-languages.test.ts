import { describe, expect, it } from 'vitest'
import { parseCaptions } from './parse-captions.ts'
import { SENTENCES, writeClock, writeOddSrt } from './testing/odd-captions.ts'

/** The sentences in other languages. */
const TEXTS = {
  en: [...SENTENCES],
  de: [
    'Zuerst den Stecker der Presse ziehen und eine Minute warten.',
    'Dann die Klappe öffnen und die alte Walze herausnehmen.',
    'Danach die Schienen mit einem trockenen Tuch abwischen.',
    'Die neue Walze einschieben, bis sie einrastet.',
    'Zum Schluss die Klappe schließen und die Presse einstecken.',
  ],
  es: [
    'Primero, desenchufe la prensa y espere un minuto.',
    'Luego abra la cubierta y saque el rodillo viejo.',
    'Después limpie los rieles con un paño seco.',
    'Deslice el rodillo nuevo hasta que encaje.',
    'Por último, cierre la cubierta y enchufe la prensa.',
  ],
  fr: [
    "D'abord, débranchez la presse et attendez une minute.",
    'Ensuite, ouvrez le capot et retirez le vieux rouleau.',
    'Puis essuyez les rails avec un chiffon sec.',
    "Glissez le nouveau rouleau jusqu'au déclic.",
    'Enfin, fermez le capot et rebranchez la presse.',
  ],
  pl: [
    'Najpierw odłącz prasę i odczekaj minutę.',
    'Następnie otwórz pokrywę i wyjmij stary wałek.',
    'Potem wytrzyj szyny suchą szmatką.',
    'Wsuń nowy wałek, aż się zatrzaśnie.',
    'Na koniec zamknij pokrywę i podłącz prasę.',
  ],
  zh: [
    '首先，拔掉压机插头，等待一分钟。',
    '然后打开盖子，取出旧滚筒。',
    '接着用干布擦拭导轨。',
    '推入新滚筒直到卡住。',
    '最后关上盖子，插上插头。',
  ],
  ar: [
    'أولاً، افصل المكبس وانتظر دقيقة.',
    'ثم افتح الغطاء وأخرج الأسطوانة القديمة.',
    'بعد ذلك امسح القضبان بقطعة قماش جافة.',
    'أدخل الأسطوانة الجديدة حتى تثبت.',
    'أخيراً، أغلق الغطاء وأوصل المكبس.',
  ],
  ru: [
    'Сначала отключите пресс и подождите минуту.',
    'Затем откройте крышку и выньте старый валик.',
    'Потом протрите рельсы сухой тканью.',
    'Вставьте новый валик до щелчка.',
    'Наконец, закройте крышку и включите пресс.',
  ],
} as const
type Tag = keyof typeof TEXTS

const cueAt = (startS: number, endS: number, text: string) => `${writeClock(startS)} --> ${writeClock(endS)}\n${text}\n`
const WRITERS: Record<string, (one: readonly string[], other: readonly string[]) => string> = {
  'two lines of each cue': (one, other) => writeOddSrt({ texts: one.map((text, at) => `${text}\n${other[at] ?? ''}`) }),
  'four lines': (one, other) =>
    writeOddSrt({ texts: one.map((text, at) => [text, other[at] ?? ''].map(wrap).join('\n')) }),
  'cues of one time': (one, other) =>
    one
      .map((text, at) => cueAt(at * 5, at * 5 + 4.5, text) + '\n' + cueAt(at * 5, at * 5 + 4.5, other[at] ?? ''))
      .join('\n'),
  'cues that take turns': (one, other) =>
    one
      .map((text, at) => cueAt(at * 5, at * 5 + 2.4, text) + '\n' + cueAt(at * 5 + 2.5, at * 5 + 5, other[at] ?? ''))
      .join('\n'),
  'two blocks': (one, other) => `${writeOddSrt({ texts: one })}\n${writeOddSrt({ texts: other })}`,
}

/** Breaks a line as captions do; what has no blanks stays. */
function wrap(text: string): string {
  const words = text.split(' ')
  const middle = Math.ceil(words.length / 2)
  return words.length < 2
    ? `${text.slice(0, 6)}\n${text.slice(6)}`
    : `${words.slice(0, middle).join(' ')}\n${words.slice(middle).join(' ')}`
}

const plain = (texts: readonly string[]) => texts.map((text) => text.replaceAll(' ', ''))

describe('two languages in one file', () => {
  const pairs: [Tag, Tag][] = [
    ['en', 'de'],
    ['de', 'en'],
    ['en', 'es'],
    ['en', 'fr'],
    ['pl', 'en'],
    ['zh', 'en'],
    ['en', 'ar'],
    ['ru', 'de'],
  ]
  it.each(pairs.flatMap((pair) => Object.keys(WRITERS).map((how) => [...pair, how] as const)))(
    'are kept apart: %s and %s in %s',
    (one, other, how) => {
      const text = WRITERS[how]?.(TEXTS[one], TEXTS[other]) ?? ''
      const { cues, languages, language } = parseCaptions(text)
      expect(languages.map((each) => each.language)).toEqual([one, other])
      expect(languages.map((each) => plain(each.cues.map((cue) => cue.text)))).toEqual([
        plain(TEXTS[one]),
        plain(TEXTS[other]),
      ])
      expect([language, cues]).toEqual([one, languages[0]?.cues])
      const wanted = parseCaptions(text, { wanted: ['xx', other] })
      expect([wanted.language, plain(wanted.cues.map((cue) => cue.text))]).toEqual([other, plain(TEXTS[other])])
    },
  )

  it('both keep the speaker', () => {
    const texts = TEXTS.en.map((text, at) => `Ada Example: ${text}\n${TEXTS.es[at] ?? ''}`)
    const { languages } = parseCaptions(
      writeOddSrt({ texts: texts.map((text) => text.replace(/^Ada Example: (.*)/, '<v Ada Example>$1')) }),
    )
    expect(languages.map(({ cues }) => cues.map(({ speaker }) => speaker))).toEqual(
      [0, 1].map(() => SENTENCES.map(() => 'Ada Example')),
    )
  })

  it.each(Object.entries(TEXTS))('are not found in one language: %s', (_tag, texts) => {
    expect(parseCaptions(writeOddSrt({ texts })).languages).toEqual([])
    expect(parseCaptions(writeOddSrt({ texts: texts.map(wrap) })).languages).toEqual([])
  })

  it.each([
    [
      'Danish',
      [
        'Træk stikket ud\nog vent et minut.',
        'Åbn så låget\nog tag valsen ud.',
        'Tør skinnerne af\nmed en tør klud.',
        'Skub den nye valse ind\ntil den klikker.',
      ],
    ],
    [
      'Norwegian',
      [
        'Trekk ut kontakten\nog vent et minutt.',
        'Åpne så dekselet\nog ta ut valsen.',
        'Tørk av skinnene\nmed en tørr klut.',
        'Skyv inn den nye\nvalsen til den klikker.',
      ],
    ],
    [
      'Romanian',
      [
        'Mai întâi scoateți\npresa din priză.',
        'Apoi deschideți capacul\nși scoateți rola.',
        'Ștergeți șinele\ncu o cârpă uscată.',
        'Introduceți rola nouă\npână se fixează.',
      ],
    ],
    [
      'Swahili',
      [
        'Kwanza chomoa mashine\nna usubiri dakika.',
        'Kisha fungua kifuniko\nna utoe rola.',
        'Futa reli\nkwa kitambaa kikavu.',
        'Ingiza rola mpya\nhadi ibofye.',
      ],
    ],
    [
      'English with names of buttons in German',
      [
        'Click on\nSpeichern.',
        'Then choose\nDatei and Öffnen.',
        'Wait until it says\nFertig.',
        'Close it with\nBeenden.',
      ],
    ],
    ['Chinese with English names', ['点击\nSave As', '然后选择\nOpen File 菜单', '等待\n直到完成', '最后\n关闭窗口']],
  ])('are not found in %s', (_what, texts) => {
    expect(parseCaptions(writeOddSrt({ texts })).languages).toEqual([])
  })

  it('are not seen in cues that take turns to have few words', () => {
    const texts = ['At 12:30, stop.', SENTENCES[0], 'At 12:40, go on.', SENTENCES[1], 'At 1:30, stop.', SENTENCES[2]]
    expect(parseCaptions(writeOddSrt({ texts })).cues).toHaveLength(6)
  })

  it('are left to somebody who speaks both, one after the other', () => {
    const texts = [...TEXTS.en, ...TEXTS.es]
    const { cues, languages } = parseCaptions(writeOddSrt({ texts }))
    expect(languages).toEqual([])
    expect(cues.map(({ text }) => text)).toEqual(texts)
  })
})
