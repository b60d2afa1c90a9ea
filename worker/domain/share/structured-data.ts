import type { SharedModule } from '#contract/share.ts'
import { embedPath, sharedVideoPath, sharePath } from '#contract/share-page.ts'
import type { Callout } from '#contract/step.ts'

const MS_PER_S = 1_000

/**
 * Describes a shared module to machines, by the vocabulary of schema.org: its video with a clip for each step, and the
 * steps as directions that point to these clips.
 * @param origin where the app is open
 */
export function describeTraining(module: SharedModule, origin: string) {
  const { id, title, createdAt, totalDuration, posterUrl, hasVideo, steps } = module
  const page = `${origin}${sharePath(id)}`
  const description = steps.length === 0 ? title : steps.map((step) => step.title).join('. ')
  const image = posterUrl === null ? {} : { thumbnailUrl: `${origin}${posterUrl}` }
  const length = totalDuration === null ? {} : { duration: writeDuration(totalDuration) }
  const clips = steps.map((step) => ({
    '@type': 'Clip',
    '@id': `${page}#clip-${step.id}`,
    name: step.title,
    startOffset: step.timestamp,
    endOffset: toMs(step.timestamp + step.duration),
    url: `${page}?t=${step.timestamp}`,
  }))
  const video = {
    '@type': 'VideoObject',
    '@id': `${page}#video`,
    name: title,
    description,
    uploadDate: createdAt,
    embedUrl: `${origin}${embedPath(id)}`,
    ...(hasVideo ? { contentUrl: `${origin}${sharedVideoPath(id)}` } : {}),
    ...image,
    ...length,
    ...(clips.length === 0 ? {} : { hasPart: clips }),
  }
  const graph = steps.length === 0 ? [video] : [video, describeHowTo(module, page)]
  return { '@context': 'https://schema.org', '@graph': graph }
}

function describeHowTo({ title, steps }: SharedModule, page: string) {
  const listNeeds = (kind: Callout['kind'], type: string) =>
    steps.flatMap(({ callouts }) =>
      callouts.filter((callout) => callout.kind === kind).map(({ text }) => ({ '@type': type, name: text })),
    )
  const needs = { tool: listNeeds('tool', 'HowToTool'), supply: listNeeds('part', 'HowToSupply') }
  return {
    '@type': 'HowTo',
    '@id': `${page}#steps`,
    name: title,
    video: { '@id': `${page}#video` },
    ...Object.fromEntries(Object.entries(needs).filter(([, list]) => list.length > 0)),
    step: steps.map((step, index) => ({
      '@type': 'HowToStep',
      position: index + 1,
      name: step.title,
      text: step.description === '' ? step.title : step.description,
      url: `${page}#step-${index + 1}`,
      video: { '@id': `${page}#clip-${step.id}` },
    })),
  }
}

/** Sums of decimals are not exact; times are kept in milliseconds. */
function toMs(seconds: number): number {
  return Math.round(seconds * MS_PER_S) / MS_PER_S
}

/** Writes seconds as ISO 8601 has it: `PT1M5S`. */
function writeDuration(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  const units = { H: Math.floor(whole / 3_600), M: Math.floor(whole / 60) % 60, S: whole % 60 }
  return `PT${Object.entries(units)
    .flatMap(([unit, value]) => (value === 0 ? [] : [`${value}${unit}`]))
    .join('')}`
}
