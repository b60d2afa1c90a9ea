import { and, eq } from 'drizzle-orm'
import { OWN_PATH } from '#contract/share-page.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { people, peopleGroups } from '#worker/db/record-tables.ts'
import { hashSecret, makeHasher, makeSecret } from '#worker/domain/signed-payload.ts'
import { countTry, refundTry } from './code-tries.ts'
import { type GroupRow, getGroup } from './group-store.ts'
import { getPerson, type PersonRow } from './person-store.ts'

type LinkContext = Pick<Context, 'db' | 'd1' | 'nowMs' | 'secrets'>

const HASH_BYTES = 32
/** Without what looks alike: 0 and O, 1, I and L. */
const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const CODE_CHARS = 8

/** What stands behind `#` in the address of the own page: whose link it is, and the secret. */
const PERSON_MARK = 'p-'
const GROUP_MARK = 'g-'

/**
 * Gives a person a new personal link; the one before opens nothing any more.
 * @returns its path, which is known this once
 * @throws {AppError} not_found
 */
export async function issuePersonLink({ db, nowMs }: LinkContext, orgId: string, id: string): Promise<string> {
  const person = await getPerson(db, orgId, id)
  const secret = makeSecret()
  const linkHash = await hashSecret(secret)
  await db.update(people).set({ linkHash, linkFrom: nowMs() }).where(isPerson(person))
  return `${OWN_PATH}#${PERSON_MARK}${secret}`
}

/** Takes back link and code of a person, and all that they have opened. @throws {AppError} not_found */
export async function revokeAccess({ db, nowMs }: LinkContext, orgId: string, id: string): Promise<void> {
  const person = await getPerson(db, orgId, id)
  await db.update(people).set({ linkHash: null, codeHash: null, accessFrom: nowMs() }).where(isPerson(person))
}

const isPerson = ({ orgId, id }: PersonRow) => and(eq(people.orgId, orgId), eq(people.id, id))
const isGroup = ({ orgId, id }: GroupRow) => and(eq(peopleGroups.orgId, orgId), eq(peopleGroups.id, id))

/** Gives a person a code for the shared device of a group. @throws {AppError} not_found */
export async function issueCode({ db, secrets, nowMs }: LinkContext, orgId: string, id: string): Promise<string> {
  const person = await getPerson(db, orgId, id)
  const code = makeCode()
  const [codeHash = ''] = await hashCode(secrets, orgId, code)
  await db.update(people).set({ codeHash, codeFrom: nowMs() }).where(isPerson(person))
  return code
}

/** Each character has the same chance: bytes beyond the last whole round of letters are thrown away. */
function makeCode(): string {
  const fair = 256 - (256 % CODE_LETTERS.length)
  let code = ''
  while (code.length < CODE_CHARS) {
    const [byte = fair] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < fair) code += CODE_LETTERS[byte % CODE_LETTERS.length]
  }
  return code
}

/** One for each secret: while `TICKET_SECRET` is being changed, codes of the earlier one still work. */
async function hashCode(secrets: string, orgId: string, code: string): Promise<string[]> {
  const texts = secrets.split(',').filter((secret) => secret !== '')
  const hashers = texts.map((secret) => makeHasher(secret, { purpose: 'code', sizeBytes: HASH_BYTES }))
  return Promise.all(hashers.map(async (hasher) => (await hasher)(orgId, code)))
}

/** Gives a group a new link for its shared device; codes at the one before are over. @throws {AppError} not_found */
export async function issueGroupLink({ db, nowMs }: LinkContext, orgId: string, id: string): Promise<string> {
  const group = await getGroup(db, orgId, id)
  const secret = makeSecret()
  await db
    .update(peopleGroups)
    .set({ linkHash: await hashSecret(secret), linkFrom: nowMs() })
    .where(isGroup(group))
  return `${OWN_PATH}#${GROUP_MARK}${secret}`
}

/** @throws {AppError} not_found */
export async function revokeGroupLink({ db }: LinkContext, orgId: string, id: string): Promise<void> {
  const group = await getGroup(db, orgId, id)
  await db.update(peopleGroups).set({ linkHash: null }).where(isGroup(group))
}

function linkRefused(): AppError {
  return new AppError('not_found', 'This link does not work any more. Ask the person who gave it to you for a new one.')
}

/** Finds whose personal link this is. @throws {AppError} not_found */
export async function openPersonLink({ db }: LinkContext, key: string): Promise<PersonRow> {
  if (!key.startsWith(PERSON_MARK)) throw linkRefused()
  const linkHash = await hashSecret(key.slice(PERSON_MARK.length))
  const row = await db.select().from(people).where(eq(people.linkHash, linkHash)).get()
  if (row === undefined || !row.isActive || row.joinedTo !== null) throw linkRefused()
  return row
}

/** Finds which group's shared device this is. @throws {AppError} not_found */
export async function openGroupLink({ db }: LinkContext, key: string): Promise<GroupRow> {
  if (!key.startsWith(GROUP_MARK)) throw linkRefused()
  const linkHash = await hashSecret(key.slice(GROUP_MARK.length))
  const row = await db.select().from(peopleGroups).where(eq(peopleGroups.linkHash, linkHash)).get()
  if (row === undefined) throw linkRefused()
  return row
}

/**
 * Finds who of a group has this code. Each try is counted before it is checked, so that no more are checked than are
 * allowed however many come at once.
 * @throws {AppError} not_found for a link or code that is nobody's, rate_limited after too many of them
 */
export async function enterCode(
  context: LinkContext,
  { key, code, ...from }: { key: string; code: string; network: string | null; site: string | null },
): Promise<{ person: PersonRow; groupId: string }> {
  const group = await openGroupLink(context, key)
  const tried = { groupId: group.id, orgId: group.orgId, ...from }
  await countTry(context, tried)
  const typed = code.toUpperCase().replace(/[\s-]/g, '')
  const hashes = await hashCode(context.secrets, group.orgId, typed)
  const { results } = await context.d1
    .prepare(
      `SELECT p.id FROM group_people AS g JOIN people AS p ON p.org_id = g.org_id AND p.id = g.person_id
       WHERE g.org_id = ?1 AND g.group_id = ?2 AND p.is_active = 1 AND p.code_hash IN (SELECT value FROM json_each(?3))`,
    )
    .bind(group.orgId, group.id, JSON.stringify(hashes))
    .all<{ id: string }>()
  const [found, ...others] = results
  // Two people with one code are nobody: the code does not say who it is.
  if (found === undefined || others.length > 0)
    throw new AppError('not_found', 'Nobody in this group has this code. Look at it again.')
  await refundTry(context, tried)
  return { person: await getPerson(context.db, group.orgId, found.id), groupId: group.id }
}
