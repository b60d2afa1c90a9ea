import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from 'sonner'
import { z } from 'zod'
import { interfaceOf } from '#contract/languages.ts'
import { Done } from '#contract/module.ts'
import { type ConfirmTraining, OpenLinkAnswer, OwnTrainingsAnswer } from '#contract/team/my-trainings.ts'
import * as m from '#messages'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { keepOwnPage, keepPerson, readOwnPage } from '#web/lib/device/device-person.ts'
import {
  ConfirmationCourier,
  type KeptConfirmation,
  keepConfirmation,
  listConfirmations,
} from './kept-confirmations.ts'

const PATH = '/api/my'

/** Language of the page, in which a person confirms. */
export const PAGE_LANGUAGE = interfaceOf(m.language_tag())

export const OWN_KEY = ['my'] as const

const KeptOwn = z.object({ own: OwnTrainingsAnswer, keptAtMs: z.number() })
/** What there was to do when this device last had a network, and when that was. */
type KeptOwn = z.infer<typeof KeptOwn>
/** Stands beside it, and before it: the hash of the personal link that has opened the page. */
const KeptLink = z.object({ linkHash: z.string() })

/** Null where nothing is kept, or what another version of Adapt has kept. */
export function readKeptOwn(): KeptOwn | null {
  return KeptOwn.safeParse(readOwnPage()).data ?? null
}

const readKeptLink = () => KeptLink.safeParse(readOwnPage()).data

/** What is kept of a link opens nothing. */
async function hashLink(key: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the page that is kept is the one that this link opens, asked without a network. */
export const keptQuery = (key: string) =>
  queryOptions({
    queryKey: [...OWN_KEY, 'kept', key],
    queryFn: async () => readKeptLink()?.linkHash === (await hashLink(key)) && readKeptOwn() !== null,
    networkMode: 'always',
  })

/** What there is to do for whoever this device belongs to; null where it is nobody's. */
export const ownQuery = queryOptions({
  queryKey: OWN_KEY,
  queryFn: async ({ signal }) => {
    try {
      const own = await callApi({ path: `${PATH}?lang=${PAGE_LANGUAGE}`, schema: OwnTrainingsAnswer, signal })
      keepPerson(own.personId)
      // The next one at a shared device would find it.
      if (own.isShared) keepOwnPage(null)
      else keepOwnPage({ ...readKeptLink(), own, keptAtMs: Date.now() } satisfies KeptOwn)
      return own
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      keepPerson(null)
      return null
    }
  },
})

/**
 * Opens a personal link, or that of a shared device.
 * @param replaces whether the device becomes theirs also where it is another person's
 */
export async function openLink(key: string, replaces: boolean): Promise<OpenLinkAnswer> {
  const body = { key, ...(replaces && { replaces }) }
  const answer = await callApi({ path: `${PATH}/open`, method: 'POST', body, schema: OpenLinkAnswer })
  if (answer.kind === 'group') keepOwnPage(null)
  if (answer.personId === undefined) return answer
  const linkHash = await hashLink(key)
  keepPerson(answer.personId)
  keepOwnPage({ ...readKeptOwn(), linkHash })
  return answer
}

export function enterCode(key: string, code: string): Promise<Done> {
  return callApi({ path: `${PATH}/code`, method: 'POST', body: { key, code }, schema: Done })
}

/** Makes the device nobody's. */
export function leave(): Promise<Done> {
  return callApi({ path: `${PATH}/leave`, method: 'POST', schema: Done })
}

/** @param linkId in the address of the training's page */
function sendConfirmation({ linkId, ...body }: ConfirmTraining & { linkId: string }): Promise<Done> {
  const path = `${PATH}/trainings/${encodeURIComponent(linkId)}/confirm`
  return callApi({ path, method: 'POST', body, schema: Done })
}

/**
 * Confirms a training; without a network it is kept and sent later.
 * @param shown whose page it is, and which training and version it names
 * @returns what became of it
 * @throws {ApiError} where the server refuses it, or nothing can be kept
 */
export async function confirmTraining(
  shown: Pick<KeptConfirmation, 'linkId' | 'personId' | 'version'>,
): Promise<'sent' | 'kept'> {
  const confirmation = { ...shown, language: PAGE_LANGUAGE }
  try {
    await sendConfirmation(confirmation)
    return 'sent'
  } catch (error) {
    const isUnreached = error instanceof ApiError && error.status === 0
    if (!isUnreached || !keepConfirmation({ ...confirmation, offlineAtMs: Date.now() })) throw error
    return 'kept'
  }
}

/** What a person has confirmed on this device and is not sent yet. */
export const confirmedQuery = (personId: string) =>
  queryOptions({
    queryKey: [...OWN_KEY, 'confirmed', personId],
    queryFn: () => listConfirmations(personId),
    networkMode: 'always',
  })

/** Sends what was confirmed without a network while the page is open. @param personId empty while it is nobody's */
export function useSendingConfirmed(personId: string): void {
  const queryClient = useQueryClient()
  const { data: waiting = [] } = useQuery(confirmedQuery(personId))
  const isWaiting = waiting.length > 0
  useEffect(() => {
    if (!isWaiting) return
    const onSettled = (failure: Error | null) => {
      if (failure !== null) toast.error(m.change_failed(), { description: describeRefusal(failure) })
      void queryClient.invalidateQueries({ queryKey: OWN_KEY })
    }
    return new ConfirmationCourier({ send: sendConfirmation, onSettled }).open()
  }, [isWaiting, queryClient])
}

/** Why a confirmation was not taken. */
export function describeRefusal(error: Error): string {
  return error instanceof ApiError && error.code === 'version_conflict' ? m.my_confirm_again() : error.message
}
