import type { Context } from 'hono'
import type { StandInDb } from './tables.ts'

export interface StandInOptions {
  db: D1Database
  assets: Pick<Fetcher, 'fetch'>
  /** Where the app is opened; `azp` of tokens for requests that do not say their origin. */
  origin: string
}

export interface StandInEnv {
  Variables: {
    options: StandInOptions
    db: StandInDb
    /** The browser, by its cookie; null until it starts to sign in. */
    clientId: string | null
  }
}

export type StandInContext = Context<StandInEnv>

/** The `iss` of the tokens of a stand-in that serves this origin. */
export function standInIssuer(origin: string): string {
  return `${origin}/__clerk`
}
