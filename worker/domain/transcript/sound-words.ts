/** Reads words and phrases, separated by commas; one that ends in a star stands for all words that begin with it. */
function readPhrases(list: string): string[] {
  return list.split(',').map((phrase) => {
    const text = phrase.trim().replace(/\s+/g, ' ')
    return text.endsWith('*') ? ` ${text.slice(0, -1)}` : ` ${text} `
  })
}

/** Checks whether a text has one of some phrases, as whole words. */
function openSearch(list: string): (text: string) => boolean {
  const phrases = readPhrases(list)
  return (text) => {
    const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    const said = ` ${words.join(' ')} `
    return phrases.some((phrase) => said.includes(phrase))
  }
}

/** Sounds by themselves, and what people do without words, in the languages of the app and its neighbours. */
export const hasSound =
  openSearch(`music*, musik*, musique*, musica*, música*, muzyka, muzycz*, müzik*, müziğ*, muziek, музык*, موسيقى, संगीत,
  applau*, aplau*, brawa, oklaski, alkış*, beifall, klatsch*, аплодисмент*, تصفيق, तालियां, तालियाँ,
  laugh*, chuckl*, giggl*, lach*, gelächter, risa, risas, ríe*, rit, rits, rire, rires, riso, risos, śmie*, gülm*, gülü*, смех, смеё*, ضحك,
  हंसी, हँसी, sigh*, seufz*, suspir*, soupir*, westchn*, cough*, husten, hustet, tos, tose, toux, tousse, kaszl*, öksür*, sneez*, niest,
  sniff*, gasp*, groan*, moan*, sob, sobs, sobbing, scream*, shout*, whisper*, mumbl*, yawn*, räusper*, clear throat, clears throat, breath*,
  inhal*, exhal*, panting, noise, noises, sound, sounds, geräusch*, lärm, rauschen, ruido, ruidos, sonido, sonidos, bruit, bruits, barulho,
  barulhos, som, szum, hałas, dźwięk*, ses, sesi, sesler, gürültü*, шум, звук*, ضوضاء, صوت, शोर, आवाज़, beep*, piep*, buzz*, hum, hums,
  humming, summen, summt, whir, whirr*, surren, surrt, clicks, clicking, klicken, klickt, rattl*, klapper*, knock*, klopf*, hammering,
  drilling, bang, bangs, banging, thud*, clank*, clatter*, squeak*, squeal*, creak*, hiss, hisses, hissing, zisch*, crash*, chime, chimes,
  chiming, rings, ringing, klingel*, sizzl*, barks, barking, chirp*, chatter*, cheers, cheering, murmur*, whistl*, footsteps, static, rumbl*,
  roar, roars, roaring, beats drum, beating drum, jingle, fanfare, theme song, inaudible, inaudibles, unintelligible, indistinct,
  unverständlich, inaudível, ininteligible, niezrozumiałe, anlaşılmıyor, silence, silencio, stille, cisza, sessizlik, crosstalk, offscreen,
  off screen`)

/** Things that make a sound when something happens to them. */
export const hasThing =
  openSearch(`water, engine, motor, machine, door, phone, telephone, bell, fan, pump, drill, saw, alarm, tap, faucet,
  steam, wind, rain, thunder, dog, bird, baby, crowd, car, truck, keyboard, paper, glass, metal, wasser, maschine, tür, telefon, glocke, pumpe,
  bohrer, säge, dampf, hund, agua, puerta, teléfono, máquina, eau, porte, moteur, água, porta, telefone, woda, drzwi, silnik, maszyna, su,
  kapı, makine, вода, дверь, двигатель, ماء, الماء, पानी`)

const happensByWord =
  openSearch(`run, runs, start, starts, stop, stops, open, opens, close, closes, slam, slams, ring, rings, drip, drips,
  boil, boils, flow, flows, pour, pours, rustle, rustles, cries, läuft, startet, stoppt, öffnet, schließt, klingelt, tropft, kocht, fließt,
  plätschert, quietscht, corre, suena, se abre, se cierra, arranca, gotea, coule, claque, sonne, grince, s ouvre, se ferme, démarre, toca, abre,
  fecha, liga, płynie, leci, otwierają, akar, akıyor, açılıyor, çalışıyor, çalıyor, течёт, течет, льётся, открывается, يجري, बह`)

/** Whether something happens: a verb, or a word that ends like one in English. */
export function hasHappening(text: string): boolean {
  return happensByWord(text) || /\p{L}{3}ing(?!\p{L})/iu.test(text)
}

const saysByWord =
  openSearch(`see, not, no, if, when, or, optional*, e g, i e, eg, ie, you, your, please, note, must, should, never, siehe,
  nicht, wenn, oder, bitte, ver, véase, si, o, voir, ou, zobacz, nie, bak, sie, ihr`)

/** Whether more is said than what is heard: a sentence, a number, a reference, a condition. */
export function saysMore(text: string): boolean {
  return /[\d.!?;:=/\\+]/.test(text) || saysByWord(text)
}

/** Whether a sound is said of something: a setting, a part, a value. */
export const namesPart =
  openSearch(`setting, settings, option, options, card, cards, file, files, level, levels, gate, gates, depth, speed,
  speeds, address, ip, ips, model, models, report, reports, mask, masks, test, tests, video, videos, app, apps, button, buttons, menu, menus,
  tab, tabs, mode, modes, player, players, library, terminal, terminals, station, stations, tool, tools, filter, filters, detector, detectors`)
