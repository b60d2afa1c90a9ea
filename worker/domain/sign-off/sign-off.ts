import type { SignOff } from '#contract/records/sign-off.ts'
import type { RecordBody } from '#contract/records/training-record.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { type PersonRow, toRecorded } from '#worker/domain/person/person-store.ts'
import { ensureAccountPerson } from '#worker/domain/person/write-people.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { requirePhotos } from '#worker/domain/record/record-photo.ts'
import type { Subject } from '#worker/domain/record/record-store.ts'
import { getSignOff, requireOther, type SignOffSubject } from './read-sign-off.ts'
import { photosSigned } from './sign-off-photo.ts'

/** Who signs, and for whom. */
interface Signing extends Subject {
  orgId: string
  userId: string
  signOff: SignOff
}

/**
 * Records what a supervisor says of a person's training: that it was shown, or which steps are to be shown again.
 * @throws {AppError} not_found; version_conflict where another version is signed by now, or another judgement was recorded;
 *   invalid_request, also where a photo was not sent
 */
export async function signOff(
  context: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>,
  { orgId, userId, signOff: signed, ...subject }: Signing,
): Promise<void> {
  // Decided anew where another record came first, which may be what another supervisor says.
  const bodies = async () => [await judge(context, { orgId, userId, signOff: signed, ...subject })]
  await appendRecords(context, orgId, { bodies })
}

async function judge(
  context: Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>,
  { orgId, userId, signOff: signed, ...subject }: Signing,
): Promise<RecordBody> {
  const about = await getSignOff(context, orgId, subject)
  requireOther(about.person, userId)
  if (signed.version !== about.version.hash)
    throw new AppError('version_conflict', 'This training has another version by now. Look at it and sign again.')
  if (signed.seq !== about.seq)
    throw new AppError('version_conflict', 'Something else was recorded meanwhile. Look at it and sign again.')
  requireJudged(signed, about)
  await requirePhotos(context, photosSigned(signed, { orgId, ...subject }))
  const supervisor = await ensureAccountPerson(context, orgId, { userId, name: signed.name })
  requireOwnName(signed.name, supervisor)
  const { id, commitment } = about.person
  return {
    person: { id, commitment },
    knownBy: 'supervisor',
    training: { id: subject.moduleId, version: about.version.hash, number: about.version.number },
    deviceTime: null,
    wasOffline: false,
    supervisor: toRecorded(supervisor),
    meaning: signed.meaning,
    ...judgementOf(signed),
  }
}

/** A record means the name that is held of a person, so a signature is by that one. */
function requireOwnName(typed: string, { name }: Pick<PersonRow, 'name'>): void {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
  if (plain(typed) !== plain(name))
    throw new AppError('invalid_request', `name: Sign with the name that your organization has of you: ${name}.`)
}

/** Each step that has to be shown is judged, and no other than those of the version. */
function requireJudged({ steps }: SignOff, { content, asked }: SignOffSubject): void {
  const judged = new Set(steps.map(({ step }) => step))
  if (judged.size < steps.length) throw new AppError('invalid_request', 'steps: A step is there twice.')
  const known = new Set(content.steps.map(({ id }) => id))
  if ([...judged].some((step) => !known.has(step)))
    throw new AppError('invalid_request', 'steps: A step is not in this version.')
  const isRefused = steps.some(({ isShown }) => !isShown)
  if (!isRefused && !asked.every((step) => judged.has(step)))
    throw new AppError('invalid_request', 'steps: Say of each step whether it was shown.')
}

type BodyOf<Kind extends RecordBody['kind']> = Extract<RecordBody, { kind: Kind }>
type Judgement = Pick<BodyOf<'refused'>, 'kind' | 'steps' | 'shown'> | Pick<BodyOf<'signed_off'>, 'kind' | 'steps'>

/** What was shown is recorded with what was refused: it is not looked at again. */
function judgementOf({ steps }: SignOff): Judgement {
  const refused = steps.filter(({ isShown }) => !isShown)
  const shown = steps.filter(({ isShown }) => isShown)
  const toJudged = ({ step: id, note, photo }: SignOff['steps'][number]) => ({
    id,
    note,
    ...(photo !== undefined && { photo }),
  })
  if (refused.length === 0) return { kind: 'signed_off', steps: shown.map(toJudged) }
  const seen = shown.length > 0 && { shown: shown.map(toJudged) }
  return { kind: 'refused', steps: refused.map(toJudged), ...seen }
}
