/** A preflight may be remembered for two hours, the most that browsers allow. */
const PREFLIGHT_S = 7200
const DAY_S = 86_400
/** What nobody ends is given up: longer than any upload is resumed, and what R2 itself does where no rule says so. */
const UNFINISHED_DAYS = 7
/** Previews are thrown away with their bucket, which has to be empty. */
const PREVIEW_DAYS = 7

/**
 * Which pages may put videos into the bucket. The browser sends nothing but these two headers, and reads the ETag of
 * each part that has arrived.
 * @param origins exact ones: R2 compares them letter by letter
 */
export function corsRules(origins: string[]) {
  return {
    rules: [
      {
        allowed: { origins, methods: ['PUT'], headers: ['content-type', 'if-none-match'] },
        exposeHeaders: ['ETag'],
        maxAgeSeconds: PREFLIGHT_S,
      },
    ],
  }
}

/** What the bucket does away with by itself. */
export function lifecycleRules({ isPreview }: { isPreview: boolean }) {
  const unfinished = {
    id: 'unfinished-uploads',
    enabled: true,
    conditions: {},
    abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: UNFINISHED_DAYS * DAY_S } },
  }
  const old = {
    id: 'previews-do-not-last',
    enabled: true,
    conditions: {},
    deleteObjectsTransition: { condition: { type: 'Age', maxAge: PREVIEW_DAYS * DAY_S } },
  }
  return { rules: isPreview ? [unfinished, old] : [unfinished] }
}
