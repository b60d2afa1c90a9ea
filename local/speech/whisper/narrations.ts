/** How a program of this machine is asked to speak a narration. */
export type Voice =
  | { program: 'flite' | 'pico2wave'; name: string }
  | { program: 'espeak-ng'; name: string; wordsPerMinute: number }
  | { program: 'festival'; name: string; encoding: 'utf8' | 'iso-8859-2'; setUp?: string }

/** What a voice says, of which an answer of Whisper is stored. */
export interface Narration {
  /** ISO 639-1. */
  language: string
  voice: Voice
  said: string
  /** The same as the voice needs it, where it does not read the usual spelling. */
  spelled?: string
  /** Whether Whisper gets the language, because it takes this voice for one of another. */
  isLanguageGiven?: boolean
  /** An example of the script and the signs, which Whisper base takes from it where a voice is unclear; none by default. */
  prompt?: string
}

/** Slower than espeak-ng speaks by itself, which Whisper base does not follow. */
const SLOW = { wordsPerMinute: 150 }

/**
 * The same instruction in each language of the page, and in three more: a number with decimals, a percentage, a question, a
 * name, and a word with a hyphen or an apostrophe where the language has them.
 */
export const NARRATIONS: readonly Narration[] = [
  {
    language: 'en',
    voice: { program: 'flite', name: 'slt' },
    said: "Switch on the coffee machine and wait for 2.5 minutes. Don't open the lid while the water is hot. Fill the cup to 80 percent. Is the light green? Then press the well-known start button, as Maria shows it.",
  },
  {
    language: 'de',
    voice: { program: 'pico2wave', name: 'de-DE' },
    said: 'Schalten Sie die Kaffeemaschine ein und warten Sie 2,5 Minuten. Öffnen Sie den Deckel nicht, solange das Wasser heiß ist. Füllen Sie die Espresso-Tasse zu 80 Prozent. Leuchtet die Lampe grün? Dann drücken Sie auf Start, wie es Maria zeigt.',
  },
  {
    language: 'es',
    voice: { program: 'pico2wave', name: 'es-ES' },
    said: 'Encienda la cafetera y espere 2,5 minutos. No abra la tapa mientras el agua esté caliente. Llene la taza al 80 por ciento. ¿Está verde la luz? Entonces pulse el botón de inicio, como lo enseña María.',
  },
  {
    language: 'fr',
    voice: { program: 'pico2wave', name: 'fr-FR' },
    said: "Allumez la machine à café et attendez 2,5 minutes. N'ouvrez pas le couvercle tant que l'eau est chaude. Remplissez la tasse à 80 pour cent. Est-ce que la lampe est verte ? Appuyez alors sur le bouton, comme Maria vous l'a montré.",
  },
  {
    language: 'it',
    voice: { program: 'pico2wave', name: 'it-IT' },
    said: "Accendete la macchina del caffè e aspettate 2,5 minuti. Non aprite il coperchio finché l'acqua è calda. Riempite la tazza all'80 per cento. La luce è verde? Allora premete il pulsante, come vi mostra Maria.",
  },
  {
    language: 'pt',
    voice: { program: 'espeak-ng', name: 'pt-br', ...SLOW },
    isLanguageGiven: true,
    said: 'Ligue a cafeteira e espere 2,5 minutos. Não abra a tampa enquanto a água estiver quente. Encha a xícara até 80 por cento. A luz está verde? Então aperte o botão e, na segunda-feira, mostre a máquina à Maria.',
  },
  {
    language: 'pl',
    voice: { program: 'espeak-ng', name: 'pl', ...SLOW },
    said: 'Włącz ekspres do kawy i poczekaj 2,5 minuty. Nie otwieraj pokrywy, dopóki woda jest gorąca. Napełnij filiżankę w 80 procentach. Czy lampka świeci na zielono? Naciśnij wtedy biało-czerwony przycisk, tak jak pokazuje Maria.',
  },
  {
    language: 'tr',
    voice: { program: 'espeak-ng', name: 'tr', ...SLOW },
    isLanguageGiven: true,
    said: "Kahve makinesini açın ve 2,5 dakika bekleyin. Su sıcakken kapağı açmayın. Fincanı yüzde 80 doldurun. Işık yeşil mi? O zaman İstanbul'dan gelen Maria'nın gösterdiği gibi düğmeye basın.",
  },
  {
    language: 'ar',
    voice: { program: 'espeak-ng', name: 'ar', ...SLOW },
    isLanguageGiven: true,
    // With its vowels, which espeak-ng does not guess.
    spelled:
      'شَغِّلْ آلَةَ القَهْوَةِ وَانْتَظِرْ دَقِيقَتَيْنِ وَنِصْف. لا تَفْتَحِ الغِطاءَ ما دامَ الماءُ ساخِنًا. اِمْلَإِ الكُوبَ حَتَّى ثَمانِينَ في المِئَة. هَلِ الضَّوْءُ أَخْضَر؟ ثُمَّ اضْغَطْ عَلى الزِّرِّ كَما تَفْعَلُ مَرْيَم.',
    prompt: 'أهلا بكم، اليوم نستخدم آلة القهوة. هل أنتم مستعدون؟ افتح الغطاء، ثم اضغط على الزر.',
    said: 'شغل آلة القهوة وانتظر دقيقتين ونصف. لا تفتح الغطاء ما دام الماء ساخنا. املأ الكوب حتى 80 في المئة. هل الضوء أخضر؟ ثم اضغط على الزر كما تفعل مريم.',
  },
  {
    language: 'zh',
    voice: { program: 'espeak-ng', name: 'cmn-latn-pinyin', ...SLOW },
    isLanguageGiven: true,
    // In Pinyin: this version of espeak-ng reads out the numbers of the tones where it is given characters.
    spelled:
      'qing3 da3 kai1 ka1 fei1 ji1, deng3 dai4 er4 dian3 wu3 fen1 zhong1. shui3 hai2 hen3 re4 de5 shi2 hou4, bu4 yao4 da3 kai1 gai4 zi5. ba3 bei1 zi5 zhuang1 dao4 bai3 fen1 zhi1 ba1 shi2. deng1 bian4 lv4 le5 ma5? ran2 hou4 an4 xia4 kai1 shi3 an4 niu3, xiang4 li3 ming2 na4 yang4.',
    said: '请打开咖啡机，等待2.5分钟。水还很热的时候，不要打开盖子。把杯子装到80%。灯变绿了吗？然后按下开始按钮，像李明那样。',
  },
  {
    language: 'hi',
    voice: {
      program: 'festival',
      name: 'hindi_NSK_diphone',
      encoding: 'utf8',
      // The voice leaves open where its melody comes from, which this version of festival does not.
      setUp: "(Parameter.set 'Int_Method Intonation_Default)",
    },
    isLanguageGiven: true,
    prompt: 'नमस्ते। आज हम कॉफ़ी मशीन चालू करेंगे। पहले ढक्कन खोलिए। फिर कप भरिए और बटन दबाइए।',
    said: 'कॉफ़ी मशीन चालू कीजिए और 2.5 मिनट रुकिए। जब तक पानी गरम है, ढक्कन मत खोलिए। कप को 80 प्रतिशत तक भरिए। क्या बत्ती हरी है? फिर बटन को धीरे-धीरे दबाइए, जैसे मारिया दिखाती है।',
  },
  {
    language: 'ru',
    voice: { program: 'festival', name: 'msu_ru_nsh_clunits', encoding: 'utf8' },
    // The voice has no rule for a comma in a number.
    spelled:
      'Включите кофеварку и подождите две с половиной минуты. Не открывайте крышку, пока вода горячая. Наполните чашку на восемьдесят процентов. Лампочка горит зелёным? Тогда нажмите какую-нибудь кнопку, как показывает Мария.',
    said: 'Включите кофеварку и подождите 2,5 минуты. Не открывайте крышку, пока вода горячая. Наполните чашку на 80 процентов. Лампочка горит зелёным? Тогда нажмите какую-нибудь кнопку, как показывает Мария.',
  },
  {
    language: 'cs',
    voice: { program: 'festival', name: 'czech_ph', encoding: 'iso-8859-2' },
    said: 'Zapněte kávovar a počkejte 2,5 minuty. Neotvírejte víko, dokud je voda horká. Naplňte šálek na 80 procent. Svítí zelená kontrolka? Potom stiskněte česko-anglické tlačítko, jak ukazuje Marie.',
  },
]
