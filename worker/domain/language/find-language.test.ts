import { describe, expect, it } from 'vitest'
import { findClearLanguage, scoreLanguages } from './find-language.ts'

describe('scoreLanguages', () => {
  it.each([
    ['Then open the cover.', 'en'],
    ['Dann die Klappe öffnen.', 'de'],
    ['Luego abra la tapa con cuidado.', 'es'],
    ["Puis ouvrez le capot jusqu'au déclic.", 'fr'],
    ['Depois abra a tampa e não a force.', 'pt'],
    ['Następnie otwórz pokrywę.', 'pl'],
    ['Sonra kapağı açın.', 'tr'],
    ['点击 Save As。', 'zh'],
    ['カバーを開けます。', 'ja'],
    ['덮개를 여세요.', 'ko'],
    ['Откройте крышку Word.', 'ru'],
    ['Відкрийте кришку.', 'uk'],
    ['ثم افتح الغطاء.', 'ar'],
    ['ढक्कन खोलें।', 'hi'],
  ])('names the language of %s', (text, tag) => expect(findClearLanguage(scoreLanguages(text))).toBe(tag))

  it.each(
    Object.entries({
      fr: [
        'Tournez la vis de droite.',
        'Branchez la prise en dernier.',
        'Retirez un par un les quatre boulons.',
        'Cliquez sur Enregistrer.',
        'Serrez la courroie à la main.',
        'Coupez le courant.',
        'Attendez la fin de la mesure.',
        'On appuie deux fois sur la touche.',
        'Il faut vider le réservoir.',
        'Versez de l’huile par petites quantités.',
        'Comment changer la lame de la scie ?',
        'Quelle est la pression de service ?',
      ],
      es: [
        'Gire la llave de paso.',
        'Conecte el cable en la toma.',
        'Quite uno a uno los cuatro tornillos.',
        'Haga clic en Guardar.',
        'Apriete la correa con la mano y pare.',
        'Espere al final de la medición.',
        'Hay que vaciar el depósito.',
        'Pulse dos veces la tecla.',
        'Cómo cambiar la hoja de la sierra',
      ],
      it: [
        'Girare la vite di destra.',
        'Collegate la spina nella presa.',
        'Togliete una a una le quattro viti.',
        'Stringete la cinghia con le mani.',
        'È meglio staccare la corrente.',
        'Aspettate la fine della misura.',
        'Bisogna svuotare il serbatoio.',
        'Premete due volte il tasto.',
        'Come cambiare la lama della sega',
      ],
      pt: [
        'Gire o parafuso da direita.',
        'Ligue o cabo na tomada.',
        'Retire um a um os quatro parafusos.',
        'Clique em Guardar.',
        'Aperte a correia com a mão.',
        'Espere pelo fim da medição.',
        'É preciso esvaziar o depósito.',
        'Prima duas vezes a tecla.',
        'Como trocar a lâmina da serra',
      ],
    }).flatMap(([tag, texts]) => texts.map((text) => [text, tag])),
  )('tells %s as %s', (text, tag) => {
    const [best, next] = [...scoreLanguages(text)].toSorted(([, left], [, right]) => right - left)
    expect(best?.[0]).toBe(tag)
    expect(best?.[1]).toBeGreaterThan(next?.[1] ?? 0)
  })

  it.each(['', '42', 'Klik', 'OK'])('names none of %j', (text) => {
    expect(findClearLanguage(scoreLanguages(text))).toBeNull()
  })
})
