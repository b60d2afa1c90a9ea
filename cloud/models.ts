import { z } from 'zod'
import { type Environment, wrangler } from './environment.ts'
import type { WorkerConfig } from './make-config.ts'
import type { Settings } from './settings.ts'
import { CloudError, type Shell } from './shell.ts'

/** Names of models of Workers AI; those that a server of one's own stands in for are left out. */
export interface ConfiguredModels {
  speech: string[]
  language: string[]
}

/** Reads which models an environment asks. */
export function modelsOf(base: WorkerConfig, settings: Settings | null): ConfiguredModels {
  const vars = { ...base.vars, ...settings?.vars } as Record<string, string>
  const valueOf = (name: string) => vars[name] ?? ''
  const namesOf = (server: string, ...names: string[]) =>
    valueOf(server) === '' ? names.map(valueOf).filter((model) => model !== '') : []
  return {
    speech: namesOf('SPEECH_BASE_URL', 'WORKERS_AI_SPEECH_MODEL'),
    language: namesOf('LANGUAGE_BASE_URL', 'WORKERS_AI_LANGUAGE_MODEL', 'WORKERS_AI_SECOND_MODEL'),
  }
}

const Price = z.object({ unit: z.string(), price: z.number() })

/** A model of Cloudflare's catalogue (`GET /accounts/{id}/ai/models/search`), as far as it is read. */
const Entry = z.object({
  name: z.string(),
  properties: z.array(z.object({ property_id: z.string(), value: z.unknown() })).default([]),
})

export interface CatalogueModel {
  name: string
  /** `2027-02-01`; null where none is planned. */
  retiredOn: string | null
  /** List prices in US dollars, such as that "per M input tokens"; empty where the catalogue has none. */
  prices: z.infer<typeof Price>[]
}

/** What wrangler says where it has no credentials. */
const NOT_SIGNED_IN = /CLOUDFLARE_API_TOKEN|not (?:logged|authenticated)|wrangler login|Unable to authenticate/i

/**
 * Reads Cloudflare's catalogue of models, with the credentials of the other commands.
 * @returns null without credentials, and in a dry run
 * @throws {CloudError} when it cannot be read otherwise, or is none
 */
export async function listModels(environment: Environment, shell: Shell): Promise<CatalogueModel[] | null> {
  const answer = await shell.ask(wrangler(environment, 'ai', 'models', 'list', '--json'), NOT_SIGNED_IN)
  if (answer === null) return null
  const { data } = z.array(Entry).safeParse(parseJson(answer))
  if (data === undefined) throw new CloudError('wrangler answered something else than a list of models.')
  return data.map(({ name, properties }) => {
    const valueOf = (id: string) => properties.find((property) => property.property_id === id)?.value
    const date = z.string().safeParse(valueOf('planned_deprecation_date')).data?.slice(0, 'YYYY-MM-DD'.length)
    const retiredOn = z.iso.date().safeParse(date).data ?? null
    return { name, retiredOn, prices: z.array(Price).safeParse(valueOf('price')).data ?? [] }
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A note of wrangler before the list, or no list.
    return null
  }
}
