// Behaviour: how-tos of five instructions without a model, in the languages of the interface.
import { describe, expect, it } from 'vitest'
import type { SaidSegment, StepWindow } from '#worker/ports/language-model.ts'
import { composeSteps } from '../../compose-steps.ts'
import { likeRecognised } from '../../testing/like-recognised.ts'
import { tidySection } from '../../tidy-section.ts'
import { writeExtractiveSteps } from '../extractive-step-writer.ts'

interface Narration {
  language: string
  said: readonly string[]
  /** Titles that steps have, as they are said. */
  titles: readonly string[]
}

const NARRATIONS: readonly Narration[] = [
  {
    language: 'ar',
    said: [
      'أولاً افصل الآلة عن الكهرباء.',
      'ثم افتح الغطاء الأمامي.',
      'بعد ذلك أخرج المرشح القديم.',
      'الآن اغسل المرشح بالماء الدافئ.',
      'أخيراً أغلق الغطاء وشغل الآلة.',
    ],
    titles: ['افصل الآلة عن الكهرباء', 'اغسل المرشح بالماء الدافئ'],
  },
  {
    language: 'de',
    said: [
      'Zuerst schalten Sie die Maschine aus.',
      'Dann öffnen Sie den Deckel an der Vorderseite.',
      'Danach nehmen Sie den alten Filter heraus.',
      'Jetzt spülen Sie den Filter mit warmem Wasser.',
      'Zum Schluss schließen Sie den Deckel wieder.',
    ],
    titles: ['Schalten Sie die Maschine aus', 'Spülen Sie den Filter mit warmem Wasser'],
  },
  {
    language: 'en',
    said: [
      'First, switch off the coffee machine.',
      'Then open the cover on the front.',
      'Next, take out the old filter.',
      'Now rinse the filter with warm water.',
      'Finally, close the cover again.',
    ],
    titles: ['Switch off the coffee machine'],
  },
  {
    language: 'es',
    said: [
      'Primero, apaga la máquina de café.',
      'Luego abre la tapa delantera.',
      'Después, saca el filtro viejo.',
      'Ahora lava el filtro con agua tibia.',
      'Por último, cierra la tapa otra vez.',
    ],
    titles: ['Apaga la máquina de café', 'Lava el filtro con agua tibia'],
  },
  {
    language: 'fr',
    said: [
      "D'abord, éteignez la machine à café.",
      'Ensuite, ouvrez le couvercle avant.',
      'Puis retirez le vieux filtre.',
      "Maintenant, rincez le filtre à l'eau tiède.",
      'Enfin, refermez et fermez le couvercle.',
    ],
    titles: ['Éteignez la machine à café', "Rincez le filtre à l'eau tiède"],
  },
  {
    language: 'hi',
    said: [
      'सबसे पहले मशीन का प्लग निकालें।',
      'फिर सामने का ढक्कन खोलें।',
      'इसके बाद पुराना फ़िल्टर बाहर निकालें।',
      'अब फ़िल्टर को गर्म पानी से धोएँ।',
      'अंत में ढक्कन फिर से लगाएँ।',
    ],
    titles: ['मशीन का प्लग निकालें', 'फ़िल्टर को गर्म पानी से धोएँ'],
  },
  {
    language: 'it',
    said: [
      'Per prima cosa, spegni la macchina del caffè.',
      'Poi apri il coperchio anteriore.',
      'Dopo, togli il vecchio filtro.',
      'Adesso lava il filtro con acqua tiepida.',
      'Infine, chiudi di nuovo il coperchio.',
    ],
    titles: ['Spegni la macchina del caffè', 'Lava il filtro con acqua tiepida'],
  },
  {
    language: 'pl',
    said: [
      'Najpierw wyłącz ekspres do kawy.',
      'Potem otwórz przednią pokrywę.',
      'Następnie wyjmij stary filtr.',
      'Teraz opłucz filtr ciepłą wodą.',
      'Na koniec zamknij pokrywę.',
    ],
    titles: ['Wyłącz ekspres do kawy', 'Opłucz filtr ciepłą wodą'],
  },
  {
    language: 'pt',
    said: [
      'Primeiro, desligue a máquina de café.',
      'Depois, abra a tampa da frente.',
      'Em seguida, retire o filtro velho.',
      'Agora lave o filtro com água morna.',
      'Por fim, feche a tampa de novo.',
    ],
    titles: ['Desligue a máquina de café', 'Lave o filtro com água morna'],
  },
  {
    language: 'tr',
    said: [
      'Önce kahve makinesini kapatın.',
      'Sonrasında ön kapağı açın.',
      'Ardından eski filtreyi çıkarın.',
      'Şimdi filtreyi ılık suyla yıkayın.',
      'Son olarak kapağı tekrar kapatın.',
    ],
    titles: ['Kahve makinesini kapatın', 'Filtreyi ılık suyla yıkayın'],
  },
  {
    language: 'zh',
    said: [
      '首先关闭咖啡机的电源。',
      '然后打开前面的盖子。',
      '接着取出旧的滤网。',
      '现在用温水清洗滤网。',
      '最后关上盖子。',
    ],
    titles: ['关闭咖啡机的电源', '用温水清洗滤网'],
  },
]

/** In 21 s. No step is shorter than five, so that some instructions share one. */
const STARTS_S = [0, 5.2, 8.6, 13.8, 17.2, 21]

function speak(said: readonly string[]): SaidSegment[] {
  const startMs = (at: number) => 1_000 * (STARTS_S[at] ?? 0)
  return said.map((text, at) => ({ id: `s${at}`, startMs: startMs(at), endMs: startMs(at + 1) - 300, text }))
}

function writeSteps(segments: SaidSegment[], language: string | null) {
  const durationMs = 21_000
  const window: StepWindow = { moduleTitle: '', durationMs, language, glossary: null, before: [], segments, after: [] }
  const steps = tidySection({ ...window, drafts: writeExtractiveSteps(window) })
  return composeSteps({ run: 1, durationMs, sections: [{ steps, isDraft: false }], isComplete: true })
}

const ENGLISH = /\b(?:understand|and|the|part|watch)\b/i

describe.each(NARRATIONS)('a how-to of 21 s in $language', ({ language, said, titles }) => {
  it.each([
    ['as captions', speak(said), language],
    ['whose language is not known', speak(said), null],
    ['without punctuation and capitals', likeRecognised(speak(said)), language],
  ])('becomes steps with titles of its own words, %s', (_, segments, known) => {
    const steps = writeSteps(segments, known)
    const listed = steps.map(({ title }) => title)
    expect(steps.length).toBeGreaterThanOrEqual(3)
    expect(steps.length).toBeLessThanOrEqual(6)
    const spoken = said.join(' ').toLowerCase()
    for (const title of listed) {
      if (language !== 'en') expect(title).not.toMatch(ENGLISH)
      expect(spoken).toContain(title.toLocaleLowerCase(language))
    }
    for (const { description } of steps) if (language !== 'en') expect(description).not.toMatch(/In this part/)
    const lower = (texts: readonly string[]) => texts.map((text) => text.toLocaleLowerCase(language))
    expect(lower(listed)).toEqual(expect.arrayContaining(lower(titles)))
  })
})
