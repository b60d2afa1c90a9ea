import { isClerkAPIResponseError } from '@clerk/react/errors'

/** Whether Clerk's instance has the template of tokens that Adapt asks for; false once it has said that it has none. */
let hasTemplate = true

type GetClerkToken = (options: { template?: string; skipCache?: boolean }) => Promise<string | null>

/** Asks for a token of the template `api`; where there is none, the session's own names the organization as well. */
export async function getApiToken(getToken: GetClerkToken, options: { skipCache?: boolean } = {}) {
  if (!hasTemplate) return getToken(options)
  try {
    return await getToken({ template: 'api', ...options })
  } catch (error) {
    if (!isClerkAPIResponseError(error) || error.status !== 404) throw error
    hasTemplate = false
    return getToken(options)
  }
}
