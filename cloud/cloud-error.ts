/** Why a step cannot be done, in sentences that say what to do. Shown without a stack. */
export class CloudError extends Error {
  override readonly name = 'CloudError'
}
