import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { interfaceOf } from '#contract/languages.ts'
import { Done } from '#contract/module.ts'
import { type ConfirmTraining, OpenLinkAnswer, OwnTrainingsAnswer } from '#contract/team/my-trainings.ts'
import * as m from '#messages'
import { callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { keepOwnPage, keepPerson, readOwnPage } from '#web/lib/device/device-person.ts'

const PATH = '/api/my'

/** Language of the page, in which a person confirms. */
export const PAGE_LANGUAGE = interfaceOf(m.language_tag())

export const OWN_KEY = ['my'] as const

const KeptOwn = z.object({ own: OwnTrainingsAnswer, keptAtMs: z.number() })
/** What there was to do when this device last had a network, and when that was. */
export type KeptOwn = z.infer<typeof KeptOwn>

/** Null where nothing is kept, or what another version of Adapt has kept. */
export function readKeptOwn(): KeptOwn | null {
  return KeptOwn.safeParse(readOwnPage()).data ?? null
}

/** What there is to do for whoever this device belongs to; null where it is nobody's. */
export const ownQuery = queryOptions({
  queryKey: OWN_KEY,
  queryFn: async ({ signal }) => {
    try {
      const own = await callApi({ path: `${PATH}?lang=${PAGE_LANGUAGE}`, schema: OwnTrainingsAnswer, signal })
      keepPerson(own.personId)
      keepOwnPage({ own, keptAtMs: Date.now() } satisfies KeptOwn)
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
export function openLink(key: string, replaces: boolean): Promise<OpenLinkAnswer> {
  return callApi({
    path: `${PATH}/open`,
    method: 'POST',
    body: { key, ...(replaces && { replaces }) },
    schema: OpenLinkAnswer,
  })
}

export function enterCode(key: string, code: string): Promise<Done> {
  return callApi({ path: `${PATH}/code`, method: 'POST', body: { key, code }, schema: Done })
}

/** Makes the device nobody's. */
export function leave(): Promise<Done> {
  return callApi({ path: `${PATH}/leave`, method: 'POST', schema: Done })
}

/**
 * @param linkId in the address of the training's page
 * @param shown whose page it is, and which version it names
 */
export function confirmTraining(linkId: string, shown: Omit<ConfirmTraining, 'language'>): Promise<Done> {
  const path = `${PATH}/trainings/${encodeURIComponent(linkId)}/confirm`
  return callApi({ path, method: 'POST', body: { ...shown, language: PAGE_LANGUAGE }, schema: Done })
}
