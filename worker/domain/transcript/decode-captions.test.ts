import { describe, expect, it } from 'vitest'
import type { CaptionEncoding } from '#contract/captions/encodings.ts'
import { decodeCaptions } from './decode-captions.ts'
import { encodeText } from './testing/encode-text.ts'
import { writeOddSrt } from './testing/odd-captions.ts'

const TEXTS = {
  pl: [
    'Najpierw wyłącz maszynę i wyjmij wtyczkę. Potem zdejmij zbiornik i opróżnij go.',
    'Otwórz drzwiczki i wyjmij zespół. Przepłucz zespół ciepłą wodą.',
    'Na końcu włóż zespół i zamknij drzwiczki. Naciśnij przycisk z boku.',
  ],
  cs: [
    'Nejprve vypněte stroj a vytáhněte zástrčku. Pak vyjměte nádržku.',
    'Otevřete přední dvířka a vyjměte jednotku. Opláchněte ji teplou vodou.',
    'Nakonec jednotku vraťte a dvířka zavřete. Počkejte, až se rozsvítí zelené světlo.',
  ],
  hu: [
    'Először kapcsolja ki a gépet és húzza ki a dugót. Vegye ki a víztartályt.',
    'Nyissa ki az ajtót, és vegye ki az egységet. Öblítse le langyos vízzel.',
    'Végül tegye vissza az egységet, és csukja be az ajtót. Várjon, amíg kigyullad a zöld fény. Őrizze meg a fűtőcsövet.',
  ],
  ro: [
    'Mai întâi opriţi maşina şi scoateţi ştecherul. Apoi scoateţi rezervorul.',
    'Deschideţi uşa din faţă şi scoateţi unitatea. Clătiţi-o cu apă caldă.',
    'La sfârşit puneţi unitatea la loc şi închideţi uşa. Apăsaţi butonul verde.',
  ],
  ru: [
    'Сначала выключите машину и выньте вилку. Затем снимите бак для воды.',
    'Откройте переднюю дверцу и выньте узел. Промойте узел тёплой водой без мыла.',
    'Поставьте узел на место и закройте дверцу.',
  ],
  uk: [
    'Спочатку вимкніть машину і вийміть вилку. Потім зніміть бак для води.',
    'Відкрийте передні дверцята і вийміть вузол. Промийте його теплою водою.',
    'Поставте вузол на місце і закрийте дверцята. Зачекайте, поки загориться зелене світло.',
  ],
  bg: [
    'Първо изключете машината и извадете щепсела. След това свалете резервоара.',
    'Отворете предната врата и извадете модула. Изплакнете го с топла вода.',
    'Накрая върнете модула и затворете вратата. Натиснете зеления бутон отстрани.',
  ],
  fr: [
    'Première étape : éteignez la machine. Ensuite, retirez le réservoir d’eau.',
    'Ouvrez la porte avant et sortez l’unité. Rincez-la à l’eau tiède sans savon.',
    'Enfin, remettez l’unité en place et fermez la porte. Appuyez sur le bouton à côté.',
  ],
  de: [
    'Schalten Sie zuerst die Maschine aus und ziehen Sie den Stecker. Nehmen Sie den Wassertank heraus.',
    'Öffnen Sie die vordere Tür und nehmen Sie die Brühgruppe heraus. Spülen Sie sie mit lauwarmem Wasser.',
    'Setzen Sie sie zurück und schließen Sie die Tür. Drücken Sie den grünen Knopf.',
  ],
  es: [
    'Primero, apague la máquina y desenchúfela. Después, saque el depósito de agua.',
    'Abra la puerta delantera y saque la unidad. Enjuáguela con agua tibia, sin jabón. ¿Está limpia?',
    'Por último, vuelva a poner la unidad y cierre la puerta. Presione el botón y espere el año nuevo.',
  ],
  pt: [
    'Primeiro, desligue a máquina e tire a ficha. Depois, retire o depósito de água.',
    'Abra a porta da frente e retire a unidade. Não use sabão; lave só com água morna.',
    'Por fim, volte a pôr a unidade e feche a porta. Pressione o botão até a luz acender e não solte já.',
  ],
  sv: [
    'Stäng först av maskinen och dra ur kontakten. Ta sedan bort vattentanken.',
    'Öppna luckan och ta ut enheten. Skölj den i varmt vatten utan tvål.',
    'Sätt till sist tillbaka enheten och stäng luckan. Tryck på den gröna knappen på sidan.',
  ],
  en: [
    'First, switch off the machine and pull the plug. It’s “hot”.',
    'Then open the café door – slowly. Don’t touch it.',
    'Rinse the unit… then put it back. That’s all.',
  ],
  el: [
    'Πρώτα σβήστε τη μηχανή και βγάλτε το φις. Μετά βγάλτε το δοχείο νερού.',
    'Ανοίξτε την μπροστινή πόρτα και βγάλτε τη μονάδα. Ξεπλύνετέ την με χλιαρό νερό.',
    'Τέλος, βάλτε πίσω τη μονάδα και κλείστε την πόρτα.',
  ],
  tr: [
    'Önce makineyi kapatın ve fişi çekin. Sonra su haznesini çıkarın.',
    'Ön kapağı açın ve üniteyi çıkarın. Ilık suyla sabunsuz yıkayın.',
    'Son olarak üniteyi yerine koyun ve kapağı kapatın. Yeşil ışık yanana kadar düğmeye basın.',
  ],
  ar: [
    'أولا أطفئ الآلة وانزع القابس. ثم أزل خزان الماء وأفرغه.',
    'افتح الباب الأمامي وأخرج الوحدة. اشطف الوحدة بماء دافئ.',
    'أخيرا أعد الوحدة وأغلق الباب. اضغط على الزر الأخضر.',
  ],
  he: [
    'קודם כבו את המכונה והוציאו את התקע. אחר כך הסירו את מיכל המים.',
    'פתחו את הדלת והוציאו את היחידה. שטפו אותה במים פושרים.',
    'לבסוף החזירו את היחידה וסגרו את הדלת.',
  ],
  ja: [
    'まず機械の電源を切ってプラグを抜きます。次に水タンクを外して空にします。',
    '前のドアを開けてユニットを取り出します。ユニットをぬるま湯で洗います。',
    '最後にユニットを戻してドアを閉めます。',
  ],
  zh: [
    '首先关闭机器并拔下插头。然后取下水箱并倒空。',
    '打开前门，取出冲泡器。用温水冲洗，不要用肥皂。',
    '最后把冲泡器放回去，关上门。',
  ],
  zt: [
    '首先關閉機器並拔下插頭。然後取下水箱並倒空。',
    '打開前門，取出沖泡器。用溫水沖洗，不要用肥皂。',
    '最後把沖泡器放回去，關上門。',
  ],
  ko: [
    '먼저 기계를 끄고 플러그를 뽑습니다. 그런 다음 물통을 빼서 비웁니다.',
    '앞문을 열고 추출기를 꺼냅니다. 미지근한 물로 헹굽니다.',
    '마지막으로 추출기를 다시 넣고 문을 닫습니다.',
  ],
} as const

const ENCODED: [CaptionEncoding, (keyof typeof TEXTS)[]][] = [
  ['windows-1250', ['pl', 'cs', 'hu', 'ro']],
  ['windows-1251', ['ru', 'uk', 'bg']],
  ['windows-1252', ['fr', 'de', 'es', 'pt', 'sv', 'en']],
  ['windows-1253', ['el']],
  ['windows-1254', ['tr']],
  ['windows-1256', ['ar']],
  ['windows-1255', ['he']],
  ['koi8-r', ['ru']],
  ['shift_jis', ['ja']],
  ['euc-jp', ['ja']],
  ['gb18030', ['zh']],
  ['big5', ['zt']],
  ['euc-kr', ['ko']],
  ['utf-8', ['fr', 'ru', 'ja']],
  ['utf-16le', ['fr', 'ru', 'en', 'ja']],
  ['utf-16be', ['fr', 'ru', 'en', 'ja']],
]

/** Of a hundred texts so many are read as they were written. */
const RIGHT_MIN = 0.95

describe('decodeCaptions', () => {
  it('finds the encoding of short texts, and where it is wrong the right one is the alternative', () => {
    const wrong: string[] = []
    let count = 0
    for (const [encoding, languages] of ENCODED) {
      for (const language of languages) {
        for (const [at, text] of TEXTS[language].entries()) {
          const srt = writeOddSrt({ texts: text.split(/(?<=[.。])/) })
          const decoded = decodeCaptions(encodeText(srt, encoding))
          count += 1
          expect(decoded.text).not.toContain('\ufffd')
          if (decoded.text === srt) continue
          wrong.push(`${encoding}, ${language} ${at}: ${decoded.encoding}`)
          expect(decoded.alternatives).toContain(encoding)
        }
      }
    }
    expect(count).toBeGreaterThan(90)
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(count * (1 - RIGHT_MIN))
  })

  it('takes the encoding that it is told', () => {
    const bytes = encodeText(TEXTS.cs[2], 'windows-1250')
    expect(decodeCaptions(bytes)).toMatchObject({ encoding: 'windows-1252', alternatives: ['windows-1250'] })
    expect(decodeCaptions(bytes, 'windows-1250')).toMatchObject({ text: TEXTS.cs[2], encoding: 'windows-1250' })
  })

  it.each([
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'utf-8', 'é'],
    ['UTF-16 little endian', [0xff, 0xfe, 0xe9, 0x00], 'utf-16le', 'é'],
    ['UTF-16 big endian', [0xfe, 0xff, 0x00, 0xe9], 'utf-16be', 'é'],
    ['Windows-1252', [0x93, 0xe9, 0x94], 'windows-1252', '“é”'],
  ])('reads %s', (_name, bytes, encoding, text) => {
    expect(decodeCaptions(new Uint8Array(bytes))).toMatchObject({ encoding, text })
  })

  it('guesses single bytes that are no UTF-8, and names their lines', () => {
    const [before, after] = [
      encodeText('Première étape : éteignez-la.\ncaf', 'utf-8'),
      encodeText('\nÀ côté.', 'utf-8'),
    ]
    const { text, encoding, log } = decodeCaptions(new Uint8Array([...before, 0xe9, ...after]))
    expect([text, encoding]).toEqual(['Première étape : éteignez-la.\ncafé\nÀ côté.', 'utf-8'])
    expect(log.named).toEqual([{ line: 2, code: 'bad_byte' }])
  })
})
