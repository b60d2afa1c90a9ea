/** Reads a list of words, as every such list in the code is written. @param others words that are added to it */
export function wordSet(list: string, others: Iterable<string> = []): ReadonlySet<string> {
  return new Set([...others, ...list.split(/\s+/)])
}

/** Words that say nothing about the topic: function words, fillers of speech and verbs that fit any sentence. */
export const STOP_WORDS =
  wordSet(`a about above across actually after again against ago all almost along already alright also although always am an and
another any anybody anyone anything anyway anywhere are aren't around as aside ask at away back bad basically be became
because become been before began begin behind being believe below best better between beyond big bit both bunch but by
call called came can can't cannot certain certainly come comes coming completely could couldn't course cuz did didn't do
does doesn't doing don't done down during each either else end ended enough especially etc even ever every everybody
everyone everything everywhere exactly example fact far feel few find fine first for forth forward found from front full
gave get gets getting give given gives giving go goes going gone gonna good got gotta great guess guy guys had half hand
happen happened happening happens hard has hasn't have haven't having he he'd he'll he's hello her here here's hers hey
hi him himself his hold hopefully how how's however huh i i'd i'll i'm i've idea if imagine in indeed inside instead
interested interesting into is isn't it it'd it'll it's its itself just keep kept kind kinda knew know known knows large
last lately later least less let let's lets like likely literally little long look looked looking looks lot lots made
main mainly make makes making many matter may maybe me mean means meant might mind mine more most mostly much must my
myself name namely near nearly need needed needs neither never new next nice no nobody none nope nor not nothing notice
now obvious obviously of off often oh ok okay old on once one ones only onto oops or order other others otherwise ought
our ours ourselves out outside over own part particular particularly people per perfect perhaps person place please plus
point possible possibly pretty previous probably put puts quick quickly quite rather real really reason remember right
said same saw say saying says second see seeing seem seems seen sense sent set several shall she she'd she'll she's
should shouldn't show shown side simple simply since single small so some somebody somehow someone something sometimes
somewhat somewhere soon sorry sort still stuff such super suppose sure take taken takes taking talk talked talking tell
tells ten tend terms than thank thanks that that'd that'll that's thats the their theirs them themselves then there
there's therefore these they they'd they'll they're they've thing things think thinking third this those though thought
three through throughout thus time times to today together told too took total totally toward towards tried trouble true
truly try trying turn turned turns two type uh um under understand unless unlike until up upon us use used useful uses
using usual usually various very video videos wait want wanted wants was wasn't watch way ways we we'd we'll we're we've
welcome well went were weren't what what's whatever when when's whenever where where's wherever whether which while who
who's whoever whole whom whose why why's will with within without won't wonder word words work worked working works
world worry would wouldn't wow wrong yeah year years yep yes yet you you'd you'll you're you've your yours yourself
yourselves zero laughs chuckles it’s different similar clear bye ha relevant multiple high low important main whole entire correct wrong
agrees minus plus quiet interesting ready available`)

/** Verbs of instructions that are never names in a how-to: they mark an instruction wherever they stand. */
export const UNMISTAKABLE_ACTIONS = wordSet(`select click choose press navigate scroll tap toggle enter paste drag
install uninstall download connect disconnect attach configure enable disable insert unplug tighten loosen unscrew`)

/** Verbs that start an instruction when they start a clause, and are hardly ever names there; with the unmistakable ones. */
export const STRONG_ACTIONS = wordSet(
  `open type create follow add remove delete upload replace rename save close launch execute adjust apply assign build
calculate clear combine compare compute convert declare define deploy determine divide draw duplicate edit export fill
fold generate highlight import initialize invite join learn listen locate login lower measure merge mix move multiply
organize pick place pour publish pull push register repeat review rotate run send share specify stir submit subtract
switch unlock update verify write wash clean cut fix find keep hold put turn explore understand discover read visit
inspect examine identify translate simplify solve prove derive compose map classify train evaluate prepare`,
  UNMISTAKABLE_ACTIONS,
)

/** All verbs that can make a title: the strong ones, and those that cannot be names after "to", "let's" and the like. */
export const ACTIONS = wordSet(
  `achieve access address allocate analyze animate answer append approach approximate arrange balance break bring
browse buy capture change charge check code collect color compile complete contact control cook copy correct count
decide decrease describe design detect develop differentiate display distribute document drill drop encode encrypt
estimate expand explain extend extract factor filter fit format forward get give graph group handle hire implement
improve include increase integrate introduce invest iterate label leave link list load log lock manage mark match
maximize minimize modify monitor negotiate normalize operate order pack paint pay perform plan play plot position
predict preview price print process produce program protect query raise randomize recognize record recover reduce
refactor refresh remember render reorder represent request reset resize restart restore return reuse reverse rewrite
scale schedule search secure set shift sign size sketch sort split start stop store structure study subscribe swap
sync tag take teach test track transfer transform undo use validate view visualize watch wire wrap zoom finish avoid
call offer grow cover`,
  STRONG_ACTIONS,
)
/** Those of {@link ACTIONS} after which seldom follows anything specific; a clause around one has to be better in all else. */
export const WEAK_ACTIONS = wordSet(`bring call cover finish avoid offer grow start stop give take get remember put keep
hold change find return`)
/** Verbs of hand work, which are so often names or fillers that only an announced step makes them instructions. */
export const EVERYDAY_ACTIONS =
  wordSet(`put let peel chop heat fry boil bake season rinse drain plug slide screw bend dip dry shake
sprinkle spread squeeze tie tear make go hang hook knead melt roast grill whisk soak spray sand saw nail glue lay grab
tilt flip press cool warm`)
