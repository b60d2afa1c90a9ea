import { useReverification } from '@clerk/react'
import { isReverificationCancelledError } from '@clerk/react/errors'
import { useMemo, useState } from 'react'
import { type CallApi, callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { type GetToken, readToken } from './api-token.ts'

interface PasswordCalls {
  /** Makes calls that may ask for the password of plain ones. */
  withPassword: (plain: CallApi) => CallApi
  isAsking: boolean
}

/**
 * Repeats a call that wants the password again: with the session's own token, which says when it was given last as one
 * of a template does not, and once more after Clerk has asked for it.
 */
export function usePasswordCalls(getToken: GetToken): PasswordCalls {
  const [isAsking, setIsAsking] = useState(false)
  // Where this gives Clerk's hint, Clerk asks for the password and calls it again.
  const repeat = useReverification(async (call: Parameters<CallApi>[0]) => {
    setIsAsking(false)
    try {
      return { answer: await callApi({ ...call, token: await readToken(getToken, { skipCache: true }) }) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      setIsAsking(true)
      return error.body as object
    }
  })
  const withPassword = useMemo(() => {
    return (plain: CallApi) => {
      const call: CallApi = async (asked) => {
        try {
          return await plain(asked)
        } catch (refusal) {
          if (!isRefusal(refusal)) throw refusal
          const repeated = await repeat(asked)
            .catch((error: unknown) => {
              throw isCancelled(error) ? refusal : error
            })
            .finally(() => setIsAsking(false))
          if (!('answer' in repeated)) throw refusal
          return repeated.answer as Awaited<ReturnType<typeof plain<typeof asked.schema>>>
        }
      }
      return call
    }
  }, [repeat])
  return { withPassword, isAsking }
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'reverification_needed'
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && isReverificationCancelledError(error)
}
