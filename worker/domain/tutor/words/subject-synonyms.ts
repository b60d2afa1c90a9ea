/**
 * Words that people use for each other when they ask about work at a screen, numbers and shapes, tools and kitchens,
 * careers and companies; one group a line. General English; its author had seen which of the `own` questions of the
 * benchmark were missed, so that only the `unseen` ones measure what it is worth.
 */
export const SUBJECT_GROUPS = `
bug glitch crash failure
log console output print
deploy publish release ship launch
debug troubleshoot diagnose
host server hosting
database storage
query search request
field column cell
row record entry line
sheet spreadsheet table
menu dropdown list
icon symbol logo
checkbox tick check
scroll swipe
zoom enlarge magnify scale
undo revert
restore recover
backup copy
permission access
admin administrator
crop trim cut
template stencil blueprint
theme style design appearance
font typeface
comment note remark
feedback review
bookmark favorite
notification alert warning
preferences settings options configuration
default standard preset
plugin extension addon
shortcut hotkey
cursor pointer mouse
loop repeat iterate iteration cycle
condition conditional if
decimal float floating
string text
index position
object instance
pixel dot
canvas screen
transparent transparency alpha opacity
brightness bright
blur blurry fuzzy
animation animate
flicker blink flash
friction drag resistance
spring elastic
swing oscillate oscillation pendulum
chart graph plot diagram visualization figure
slope gradient steepness derivative
curve bend
vertex vertices node
crossing cross intersection intersect
differentiate derivative
integral integrate
exponent power exponential
constant fixed
infinite infinity endless forever
converge approach limit settle
estimate approximate approximation rough roughly
exact exactly precise precisely accurate
pair couple
average mean
shape form
symmetric symmetry mirror
middle center centre central
gap distance
evening night
cv resume
freelance freelancer contractor independent
course class lesson training bootcamp
degree study studied major
mentor coach advisor
advice tip recommendation suggestion
acquaintance contact
meetup event conference gathering
competitor rival
advert ad advertisement promotion
investor investment
loan credit debt
profit revenue earnings turnover income
validate verify test
audience viewer follower
episode podcast show
drill bore hole
glue adhesive stick
paint coat
smooth sand
wood timber lumber board plank
pipe tube hose
leak drip
tap faucet
bulb lamp light
engine motor
tyre tire wheel
fuel petrol gas
lubricate grease oil
boil simmer
fry pan
stir whisk blend mix
season spice salt
frozen freeze ice
recipe dish meal
continue proceed carry
follow track trace
guide lead
touch tap
bring carry transport
throw toss
catch grab
count tally
sequence order arrangement
arrange organize sort
cluster group
depend rely
contain include consist
vary fluctuate change
exceed beyond
again repeat redo
hide hidden conceal invisible
disappear vanish gone
visible see seen shown
notice realize spot
watch view
listen hear
speak talk
originate origin source
affect influence impact effect
control manage handle
deal cope handle
struggle difficulty trouble
hate dislike
prefer rather
expect anticipate
hope wish want
refuse reject decline ban
accept approve
enough sufficient
extra additional spare
almost nearly
maybe perhaps possibly
now currently today
immediately instantly
finally eventually
often frequently
sometimes occasionally
together jointly
alone solo
private personal
empty blank
flat level
thick thickness
deep depth
strong powerful
quiet silent
cheap inexpensive affordable
rich wealthy
smart clever intelligent
stupid dumb silly
beautiful pretty lovely
sick ill
`
