import { createContext, use } from 'react'
import type { z } from 'zod'
import { type ApiCall, callApi } from './api.ts'

/** The API as the current visitor calls it: the token is already bound. */
export type CallApi = <Schema extends z.ZodType>(call: Omit<ApiCall<Schema>, 'token'>) => Promise<z.output<Schema>>

/** Without a provider (the share page) calls are public. */
export const ApiContext = createContext<CallApi>((call) => callApi(call))

export function useApi(): CallApi {
  return use(ApiContext)
}

/** Account of the person who is signed in, for what a browser keeps of each; null for strangers. */
export const PersonContext = createContext<string | null>(null)

export function usePerson(): string | null {
  return use(PersonContext)
}
