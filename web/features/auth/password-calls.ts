import { useReverification } from '@clerk/react'
import { isReverificationCancelledError } from '@clerk/react/errors'
import { useMemo, useState } from 'react'
import * as m from '#messages'
import { type CallApi, callApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { type GetToken, readToken } from './api-token.ts'
import { loadInterface } from './clerk-interface.ts'

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
      await loadForm()
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

/** Clerk waits for its script for 15 seconds, and for the files of the form after it for as long as it takes. */
const FORM_WITHIN_MS = 20_000

/**
 * Loads the form that asks for the password. Clerk itself says nothing where it cannot, and would never answer.
 * @throws {ApiError} network
 */
async function loadForm(): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, FORM_WITHIN_MS)
  try {
    await Promise.race([loadInterface('UserVerification'), late])
  } catch {
    // Whatever has failed is a file that was not loaded.
    throw new ApiError({ status: 0, code: 'network', message: m.password_could_not_be_asked() })
  } finally {
    clearTimeout(timer)
  }
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'reverification_needed'
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && isReverificationCancelledError(error)
}
