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
