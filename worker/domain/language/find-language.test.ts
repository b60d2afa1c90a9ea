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

  it.each(['', '42', 'Klik', 'OK'])('names none of %j', (text) => {
    expect(findClearLanguage(scoreLanguages(text))).toBeNull()
  })
})
