// Writes what a month costs into docs/deploy.md (`--write`, part of `npm run generate:docs`), or refuses a table that is
// not as the prices, limits and assumptions of today give it (`npm run check:docs`).
import { readFileSync, writeFileSync } from 'node:fs'
import { PRICES } from '#worker/domain/quota/prices.ts'
import { refuse } from '../checks/check.ts'
import {
  billClerk,
  billMonth,
  billRareOriginals,
  CLERK,
  countModelsOfDay,
  DATABASE_GB,
  GB,
  MILLION,
  PER_ORGANIZATION,
  SCREEN,
  standardUsd,
  storedUsd,
  TRAINING,
} from './costs.ts'
import { ATTACKED, ATTACKED_PRO, countPassed, FIREWALL_RULE, HOSTILE_ADDRESSES } from './firewall-rule.ts'
import { extraUsdOfRare, LATER_VIEWS, MOVED_AFTER_DAYS } from './infrequent-access.ts'
import { readBaseConfig } from './make-config.ts'

const DOCUMENT = 'docs/deploy.md'
/** Trainings that are made each month. */
const SIZES = [100, 1_000, 10_000, 100_000]
/** What a line of 1 Gbit/s reads in a day. */
const LINE_BYTES_PER_DAY = (24 * 3_600 * 1e9) / 8

const row = (name: string, values: readonly string[]) => `| ${[name, ...values].join(' | ')} |`
const tableOf = (head: string, columns: readonly string[], rows: readonly string[]) => [
  row(head, columns),
  `|---|${columns.map(() => '---:|').join('')}`,
  ...rows,
]
/** Dollars with cents below a hundred. */
const usdText = (usd: number) => (usd < 100 ? usd.toFixed(2) : Math.round(usd).toLocaleString('en'))
const timesText = (count: number) => (count === 1 ? 'once' : `${count} times`)
const countText = (count: number) => Math.round(count).toLocaleString('en')

type BaseConfig = ReturnType<typeof readBaseConfig>

const LAST_MONTH = SIZES.map((made) => ({ made, month: 12 }))

/** Writes the table of month 12, what month 1 costs, and what both assume. */
function writeMonths(sampling: number): string[] {
  const bills = LAST_MONTH.map((use) => billMonth(use, sampling))
  const ofEach = Object.keys(bills[0] ?? {}).map((name) => {
    const cells = bills.map((each) => usdText(each[name] ?? 0))
    return row(name, cells)
  })
  const sumOf = (bill: Record<string, number>) => Object.values(bill).reduce((sum, usd) => sum + usd, 0)
  const firstSums = SIZES.map((made) => `$${usdText(sumOf(billMonth({ made, month: 1 }, sampling)))}`)
  const clerk = (members: number) =>
    SIZES.map((made) => usdText(billClerk({ organizations: made / PER_ORGANIZATION, members })))
  const { planPerMonth, includedOrganizations, perOrganization, includedMembers, addOnPerMonth } = CLERK
  const largest = Math.max(...SIZES)
  const stored = usdText(storedUsd({ made: largest, month: 12 }))
  const ownBytes = TRAINING.moduleBytes + TRAINING.views * TRAINING.viewBytes
  const thousands = Math.floor((DATABASE_GB * GB) / ownBytes / 1_000)
  return [
    ...tableOf('US dollars in month 12, by trainings made each month', SIZES.map(countText), [
      ...ofEach,
      row(
        '**Cloudflare together**',
        bills.map((each) => `**${usdText(sumOf(each))}**`),
      ),
      row(`Clerk, at most ${includedMembers} members in each organization`, clerk(includedMembers)),
      row('Clerk, with a larger one among them', clerk(includedMembers + 1)),
    ]),
    '',
    `At Cloudflare month 1 costs ${new Intl.ListFormat('en').format(firstSums)}: it stores a twelfth and has no views of older trainings; all else is alike.`,
    '',
    `A training has ${TRAINING.minutes} minutes and ${TRAINING.bytes / MILLION} MB, its small copy ${TRAINING.smallBytes / MILLION} MB, is watched ${TRAINING.views} times to its end in its first month and ${timesText(LATER_VIEWS)} in each later one, and the tutor is asked something in one view of ${countText(1 / TRAINING.questionsPerView)}. All are kept, so month 12 stores twelve months of videos: ${countText((12 * (TRAINING.bytes + TRAINING.smallBytes) * largest) / GB)} GB at ${countText(largest)} a month, $${stored}. A database holds ${DATABASE_GB} GB, about ${countText(thousands * 1_000)} such trainings with their first month; what comes after that: [database and search](decisions/database-and-search.md).`,
    '',
    `An hour of video whose screen is read adds one object of at most ${SCREEN.objectBytes / MILLION} MB, ${SCREEN.bytes / 1e3} kB in the database, and ${countText(SCREEN.rows)} written rows.`,
    '',
    `An organization makes ${PER_ORGANIZATION} trainings a month. Clerk includes ${includedOrganizations} organizations with at most ${includedMembers} members each; beyond that it takes its Pro plan ($${planPerMonth}), $${perOrganization} for each further organization that is used in the month, and an add-on ($${addOnPerMonth}) as soon as one of them is to have more than ${includedMembers} members.`,
  ]
}

/** Writes what originals cost with and without Infrequent Access. */
function writeOriginals(): string {
  const use = { made: 1_000, month: 12 }
  const rare = (views: number) => `$${usdText(billRareOriginals(use, views))}`
  const breakEven = extraUsdOfRare(0) / (extraUsdOfRare(0) - extraUsdOfRare(1))
  const lineGb = LINE_BYTES_PER_DAY / GB
  return `With ${countText(use.made)} trainings a month, originals cost $${usdText(standardUsd(use))} in month ${use.month} in standard storage. With Infrequent Access after ${MOVED_AFTER_DAYS} days they cost ${rare(1)} if each is watched once a month after that, ${rare(1 / 4)} if once in four months, and ${rare(0)} if never. So it saves where an old training is watched less than ${breakEven.toFixed(2)} times a month. What one line of 1 Gbit/s reads there in a day is ${countText(lineGb)} GB, $${usdText(lineGb * PRICES.rareStoredGb.perGbRead)}; out of standard storage it costs nothing.`
}

/** Writes what requests of hostile addresses cost. @param perS requests a second that `LINK_LIMIT` allows each */
function writeAttack(perS: number): string[] {
  const perMillion = PRICES.requests.perMillion + PRICES.r2ClassB.perMillion + PRICES.events.perMillion
  const attack = (name: string, passed: number) => {
    const millions = passed / MILLION
    return row(name, [millions < 10 ? millions.toFixed(1) : countText(millions), usdText(millions * perMillion)])
  }
  const fast = 10 * perS
  const ofRule = (limit: number) => `ten times as many, rule of ${countText(limit)} in ten seconds`
  return [
    ...tableOf(
      `${HOSTILE_ADDRESSES} hostile addresses for a day`,
      ['million requests', 'US dollars'],
      [
        attack(`${perS} requests a second each, as \`LINK_LIMIT\` allows`, countPassed(perS, null)),
        attack('ten times as many', countPassed(fast, null)),
        attack(ofRule(FIREWALL_RULE.limit), countPassed(fast, FIREWALL_RULE, true)),
        attack(ofRule(ATTACKED.limit), countPassed(fast, ATTACKED, true)),
        attack(
          'the same, blocked for an hour (Pro plan), from addresses that do not slow down',
          countPassed(fast, ATTACKED_PRO),
        ),
      ],
    ),
    '',
    `A million requests cost $${usdText(PRICES.requests.perMillion)}, their reads of R2 $${usdText(PRICES.r2ClassB.perMillion)}, their log lines $${usdText(PRICES.events.perMillion)}. A rule counts with the most that it lets pass, from addresses that know it. What the edge's cache answers is billed as two requests and reads nothing of R2.`,
  ]
}

/** Writes the tables of months, of originals and of an attack, and what they assume. */
export function writeCosts({ observability, ratelimits }: BaseConfig): string {
  const perMinute = ratelimits?.find(({ name }) => name === 'LINK_LIMIT')?.simple.limit ?? 0
  return [
    ...writeMonths(observability?.traces?.head_sampling_rate ?? 1),
    '',
    writeOriginals(),
    '',
    ...writeAttack(perMinute / 60),
  ].join('\n')
}

/** Writes what the models of a day do, with the ceiling that a deployment has which changes nothing. */
export function writeCeiling({ vars }: BaseConfig): string {
  const usd = Number(vars?.['TOTAL_AI_USD_PER_DAY'])
  const { asked, answered, unasked } = countModelsOfDay(usd)
  const near = (count: number) => Math.round(count / 10) * 10
  return `**A new deployment spends at most $${usd} a day on models**, which is about ${near(asked)} trainings a day of ${TRAINING.minutes} minutes with ${TRAINING.views * TRAINING.questionsPerView} questions each, or ${near(unasked)} without questions. Questions may use half of it, those of ${answered} such trainings; further ones are answered in the speaker's own words.`
}

/** Puts a text between the marks of its name. */
export function fillIn(document: string, name: string, text: string): string {
  const part = new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- end of ${name} -->)`)
  return document.replace(part, (_, begin: string, end: string) => `${begin}${text}${end}`)
}

/** Puts the costs of today into a document. */
export function fillCosts(document: string, base: BaseConfig): string {
  return fillIn(fillIn(document, 'costs', writeCosts(base)), 'ceiling', writeCeiling(base))
}

if (import.meta.main) {
  const document = readFileSync(DOCUMENT, 'utf8')
  const filled = fillCosts(document, readBaseConfig())
  if (process.argv.includes('--write')) writeFileSync(DOCUMENT, filled)
  else refuse(filled === document ? [] : [`${DOCUMENT}: the costs are not as \`npm run generate:docs\` writes them`])
}
