/** Verbs of instructions that are never names in a how-to: they mark an instruction wherever they stand. */
const UNMISTAKABLE =
  'select click choose press navigate scroll tap toggle enter paste drag install uninstall download connect disconnect attach configure enable disable insert unplug tighten loosen unscrew'

/** Verbs that start an instruction when they start a clause, and are hardly ever names there. */
const STRONG = `open type create follow add remove delete upload replace rename save close launch execute adjust apply assign
build calculate clear combine compare compute convert declare define deploy determine divide draw duplicate edit export fill
fold generate highlight import initialize invite join learn listen locate login lower measure merge mix move multiply organize
pick place pour publish pull push register repeat review rotate run send share specify stir submit subtract switch unlock update
verify write wash clean cut fix find keep hold put turn explore understand discover read visit inspect examine identify
translate simplify solve prove derive compose map classify train evaluate prepare`

/** Further verbs that make a title after "to", "let's", "I'm going to" and the like, where they cannot be names. */
const OTHERS = `achieve access address allocate analyze animate answer append approach approximate arrange balance break bring
browse buy capture change charge check code collect color compile complete contact control cook copy correct count decide decrease
describe design detect develop differentiate display distribute document drill drop encode encrypt estimate expand explain
extend extract factor filter fit format forward get give graph group handle hire implement improve include increase integrate
introduce invest iterate label leave link list load log lock manage mark match maximize minimize modify monitor negotiate
normalize operate order pack paint pay perform plan play plot position predict preview price print process produce program
protect query raise randomize recognize record recover reduce refactor refresh remember render reorder represent request reset
resize restart restore return reuse reverse rewrite scale schedule search secure set shift sign size sketch sort split start
stop store structure study subscribe swap sync tag take teach test track transfer transform undo use validate view visualize
watch wire wrap zoom finish avoid call offer grow cover`

/** After these verbs seldom follows anything specific; a clause around one has to be better in all else. */
const WEAK =
  'bring call cover finish avoid offer grow start stop give take get remember put keep hold change find return'

/** Verbs of hand work, which are so often names or fillers that only an announced step makes them instructions. */
const EVERYDAY = `put let peel chop heat fry boil bake season rinse drain plug slide screw bend dip dry shake sprinkle spread squeeze
tie tear make go hang hook knead melt roast grill whisk soak spray sand saw nail glue lay grab tilt flip press cool warm`

function toSet(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(/\s+/)))
}

/** Mark an instruction wherever they stand. */
export const UNMISTAKABLE_ACTIONS = toSet(UNMISTAKABLE)
/** Mark an instruction where they start a clause; the unmistakable ones are among them. */
export const STRONG_ACTIONS = toSet(UNMISTAKABLE, STRONG)
/** All verbs that can make a title; the strong ones are among them. */
export const ACTIONS = toSet(UNMISTAKABLE, STRONG, OTHERS)
/** Those of {@link ACTIONS} that say too little by themselves. */
export const WEAK_ACTIONS = toSet(WEAK)
/** Verbs of hand work: an instruction only in a step that was announced. */
export const EVERYDAY_ACTIONS = toSet(EVERYDAY)
