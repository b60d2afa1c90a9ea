import { extraUsdOfRare, MOVED_AFTER_DAYS } from './infrequent-access.ts'
import { bucketOf, type Cloud, wranglerR2 } from './make-config.ts'
import type { Settings } from './settings.ts'

/** Videos lie here; audio and images that the worker puts into the bucket itself lie elsewhere. */
export const SOURCES = 'src/'
/** An upload that is never ended is given up: longer than any upload is resumed, and what R2 itself does where no rule says so. */
const UNFINISHED_DAYS = 7
/** Previews are thrown away with their bucket, which has to be empty. */
const PREVIEW_DAYS = 7
/** No failure means that a bucket has no rules: a list without rules is an answer, too. */
const NEVER = /(?!)/

/** A rule of the bucket, by the name that R2 keeps it under. */
interface LifecycleRule {
  name: string
  isWanted: boolean
  /** Of `wrangler r2 bucket lifecycle add`. */
  options: string[]
}

/** Lists what the bucket does with its objects by itself. */
function rulesFor({ isPreview }: Cloud['environment'], { laterViews }: Settings): LifecycleRule[] {
  const days = (option: string, count: number) => [`--${option}-days`, String(count)]
  return [
    { name: 'unfinished-uploads', isWanted: true, options: days('abort-multipart', UNFINISHED_DAYS) },
    { name: 'previews-do-not-last', isWanted: isPreview, options: days('expire', PREVIEW_DAYS) },
    {
      name: 'old-originals',
      isWanted: !isPreview && extraUsdOfRare(laterViews) < 0,
      options: ['--prefix', SOURCES, ...days('ia-transition', MOVED_AFTER_DAYS)],
    },
  ]
}

/**
 * Adds the rules of an environment that its bucket lacks and removes those that it is no longer to have, one at a time:
 * other rules stay as they are, and so does one of these that a person has changed.
 * @throws {CloudError} when the rules cannot be read or changed
 */
export async function setLifecycle({ environment, base, shell }: Cloud, settings: Settings): Promise<void> {
  const bucket = bucketOf(base, environment)
  const lifecycle = (action: string, ...args: string[]) =>
    wranglerR2(environment, settings, 'lifecycle', action, bucket, ...args)
  const listed = (await shell.ask(lifecycle('list'), NEVER)) ?? ''
  const names = [...listed.matchAll(/^name:\s+(.*\S)/gm)].map(([, name]) => name)
  for (const { name, isWanted, options } of rulesFor(environment, settings)) {
    if (isWanted === names.includes(name)) continue
    const change = isWanted
      ? lifecycle('add', '--name', name, ...options, '--force')
      : lifecycle('remove', '--name', name)
    await shell.act(change)
  }
}
