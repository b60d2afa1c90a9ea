import { describe, expect, it } from 'vitest'
import { keepSpoken, removeSoundMarks } from './sound-marks.ts'

describe('removeSoundMarks', () => {
  it.each([
    '[music]',
    '[Music]',
    '♪♪',
    '♪ soft music ♪',
    '♪ Row, row, row your boat',
    '(water runs)',
    '(Water running)',
    '[machine humming]',
    '[drill whirring]',
    '[Applause]',
    '(door opens)',
    '(laughs)',
    '*laughs*',
    '[inaudible]',
    '- [coughs]',
    '(Musik)',
    '(Gelächter)',
    '[Wasser läuft]',
    '(Tür quietscht)',
    '[música]',
    '(aplausos)',
    '[risas]',
    '(suena el teléfono)',
    '(musique douce)',
    "(bruit d'eau)",
    '(la porte claque)',
    '[música suave]',
    '(barulho da máquina)',
    '[muzyka]',
    '(śmiech)',
    '(szum wody)',
    '[müzik çalıyor]',
    '(kahkahalar gülüşmeler)',
    '[موسيقى]',
    '(ضحك)',
    '[संगीत]',
    '【音乐】',
    '【音楽】',
    '（笑）',
    '（掌声）',
    '[музыка]',
    '(смех)',
    'Music playing',
  ])('leaves nothing of what is only heard: %s', (mark) => {
    expect(removeSoundMarks(mark)).toBe('')
    expect(keepSpoken([{ id: 1, text: mark }])).toEqual([])
  })

  it.each([
    ['(water runs) Then empty the tank.', 'Then empty the tank.'],
    ['[Music] Open the cover.', 'Open the cover.'],
    ['Close the door. [Applause]', 'Close the door.'],
    ['That is it (laughs)', 'That is it'],
    ['♪ music ♪ Then open the cover. ♪', 'Then open the cover.'],
    ['[Musik] [Gelächter] Jetzt die Klappe öffnen.', 'Jetzt die Klappe öffnen.'],
    ['【音楽】カバーを開けます。', 'カバーを開けます。'],
    ['そうですね（笑）', 'そうですね'],
    ['打开盖子。【音乐】', '打开盖子。'],
    ['(suspira) Ahora abra la tapa.', 'Ahora abra la tapa.'],
  ])('leaves what is said beside it: %s', (line, spoken) => expect(removeSoundMarks(line)).toBe(spoken))

  it.each([
    'Press [Enter]',
    'Press [Enter].',
    'Press [Ctrl] and [S]',
    '[Enter] confirms it.',
    '[Enter]',
    '[Save As]',
    'Then tap [Music]',
    'Choose (Sound)',
    'Remove the screw (see page 3)',
    'Remove the screw. (see page 3)',
    '(see the manual)',
    '(optional)',
    'Tighten it. (not too hard)',
    '(two screws)',
    'Use the filter (the blue one).',
    'Turn the tap until water runs (about a litre).',
    'Drücken Sie [Eingabe]',
    'Schraube lösen (siehe Seite 3)',
    'Pulse [Intro]',
    'Quite el tornillo (ver página 3).',
    'Appuyez sur [Entrée]',
    'Naciśnij [Enter] (zobacz stronę 3)',
    '按 [Enter]',
    '取下螺丝（见第3页）',
    'Adjust the volume. [Sound Settings]',
    'Set the address. (static IP)',
    'Put it on. (breathing mask)',
    '(drilling depth)',
    'Export it. (music video)',
    'Send it. (crash report)',
    '选择 [声音]',
    '点击【静音】',
    '【静音】',
    '录制按钮（录音）',
    'यहाँ दबाएँ [आवाज़]',
    'Type *.txt and *.csv',
    'Multiply 3 * 4 * 5',
    'Music is played through the speaker.',
  ])('leaves text as it is: %s', (text) => expect(removeSoundMarks(text)).toBe(text))

  it('reads a run of notes and brackets once', () => {
    const run = '♪'.repeat(1_900)
    // Cubic time would be minutes: the test would not end.
    for (let brackets = 0; brackets < 200; brackets += 1) removeSoundMarks(`Open ${run} it${'['.repeat(brackets)}`)
    expect(removeSoundMarks(run)).toBe('')
    expect(removeSoundMarks(`Open ${run} it`)).toBe(`Open ${run} it`)
  })
})
