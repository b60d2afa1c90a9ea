import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import type { Services } from '#worker/services.ts'

/** Of benches in which nothing is heard or written: every token is the same trainer's. */
export function idleServices(): Services {
  return {
    identity: { verify: async () => ({ userId: 'user_bench', orgId: null, orgRole: null, orgPermissions: [] }) },
    speech: { name: 'none', transcribe: () => Promise.reject(new Error('nothing is heard here')) },
    stepWriter: extractiveStepWriter,
    textRewriter: extractiveTextRewriter,
    tutorModel: null,
  }
}

/** The same where whoever calls is told by the token, so that no one person does too much. */
export function idleServicesByToken(): Services {
  const verify = async (token: string) => ({ userId: token, orgId: null, orgRole: null, orgPermissions: [] })
  return { ...idleServices(), identity: { verify } }
}
