/** What the files of one folder may import. */
export interface Place {
  /** A folder with all below it that has no line of its own, or one file. `x/*` stands for each folder in `x`. */
  path: string
  /** Paths of the places that it may import from, besides its own. */
  may: readonly string[]
  /** Packages that it may import; left out where it may import any. */
  packages?: readonly string[]
}

/**
 * The nouns and layers of the worker, the lowest first: each imports from those before it. A new noun takes its place
 * here.
 */
const WORKER = [
  'worker/log',
  'worker/ports',
  'worker/db',
  'worker/core',
  'worker/tasks',
  'worker/domain',
  'worker/domain/organization',
  'worker/domain/quota',
  'worker/domain/media',
  'worker/domain/language',
  'worker/domain/transcript',
  'worker/domain/module',
  'worker/domain/live',
  'worker/domain/step/prompts',
  'worker/domain/step/extractive',
  'worker/domain/step',
  'worker/domain/image',
  'worker/domain/screen',
  'worker/domain/feedback',
  'worker/domain/learning',
  'worker/domain/opened',
  'worker/domain/run',
  'worker/domain/answer',
  'worker/domain/translation/prompts',
  'worker/domain/translation',
  'worker/domain/version',
  'worker/domain/recording',
  'worker/domain/duplicate',
  'worker/domain/notice',
  'worker/domain/record',
  'worker/domain/matrix',
  'worker/domain/retraining',
  'worker/domain/person',
  'worker/domain/assignment',
  'worker/domain/reminder',
  'worker/domain/sign-off',
  'worker/domain/step-report',
  'worker/domain/share',
  'worker/domain/tutor/words',
  'worker/domain/search',
  'worker/domain/collection',
  'worker/domain/tutor/contradiction',
  'worker/domain/tutor/prompts',
  'worker/domain/tutor',
  'worker/domain/found',
  'worker/domain/rewrite/prompts',
  'worker/domain/rewrite',
  'worker/domain/questions',
  'worker/domain/upload',
  'worker/domain/health',
  'worker/domain/debug',
  'worker/domain/lifecycle',
  'worker/domain/account',
  'worker/http',
  'worker/pipeline',
  'worker/jobs',
  'worker/entry',
  'worker/objects',
  'worker/routes',
  'worker',
] as const

const PROMPT_INPUTS = ['contract', 'worker/ports', 'worker/domain'] as const

/** HTTP and the runtime's classes stay with the entries. */
const DOMAIN_PACKAGES = [
  '#messages',
  'aws4fetch',
  'canonicalize',
  'chardet',
  'client-zip',
  'drizzle-orm',
  'mediabunny',
  'nanoid',
  'uqr',
  'zod',
]

function placeInWorker(path: (typeof WORKER)[number], order: number): Place {
  // A prompt takes data alone, so that recorded prompts depend on nothing else.
  if (path.endsWith('/prompts')) return { path, may: PROMPT_INPUTS, packages: [] }
  const may = ['contract', 'media', 'records', 'screen', ...WORKER.slice(0, order)]
  if (path === 'worker/log') return { path, may, packages: ['node'] }
  const isDomain = ['worker/domain', 'worker/db', 'worker/core', 'worker/tasks', 'worker/ports'].some((above) =>
    path.startsWith(above),
  )
  return isDomain ? { path, may, packages: DOMAIN_PACKAGES } : { path, may }
}

/** What an adapter needs besides the port that it fills. */
const ADAPTER_INPUTS = [
  'contract',
  'worker/core',
  'worker/log',
  'worker/ports',
  'worker/http',
  'worker/domain',
  'worker/domain/health',
  'worker/domain/rewrite',
  'worker/domain/rewrite/prompts',
  'worker/domain/step/extractive',
  'worker/domain/step/prompts',
  'worker/domain/translation/prompts',
] as const

/** Who may import what. Imports of types and imports on demand count like all others; tests may import anything. */
export const PLACES: readonly Place[] = [
  { path: 'contract', may: [], packages: ['zod', '#messages'] },
  { path: 'media', may: [], packages: ['mediabunny'] },
  { path: 'records', may: ['contract'], packages: ['#messages', 'canonicalize'] },
  { path: 'screen', may: ['contract'], packages: [] },

  ...WORKER.map(placeInWorker),
  { path: 'worker/adapters', may: ['worker/adapters/*', ...ADAPTER_INPUTS] },
  { path: 'worker/adapters/*', may: ['worker/adapters/*', ...ADAPTER_INPUTS] },
  // The one entry that knows the adapters; `local/worker.ts` is the one that knows the stand-ins.
  { path: 'worker/index.ts', may: ['worker', 'worker/adapters', 'worker/objects'], packages: [] },

  { path: 'web/lib', may: ['contract', 'media'] },
  { path: 'web/ui', may: ['contract', 'web/lib'] },
  // The ZIP file of an export says itself which part it is, and what follows.
  { path: 'web/features/records', may: ['contract', 'records', 'web/lib', 'web/ui'] },
  // A feature never imports another; pages join them.
  { path: 'web/features/*', may: ['contract', 'media', 'screen', 'web/lib', 'web/ui'] },
  { path: 'web/app', may: ['contract', 'media', 'web/features/*', 'web/features/records', 'web/lib', 'web/ui'] },
  { path: 'web/build', may: ['contract', 'web/features/*'] },
  { path: 'web', may: ['contract', 'web/app', 'web/features/*', 'web/lib', 'web/ui', 'web/verify'] },
  // A file by itself, which goes into exports.
  { path: 'web/verify', may: ['contract', 'records'], packages: ['#messages'] },

  // Stand-ins fill ports; they do not reach into the product.
  { path: 'local/*', may: ['contract', 'local/*', 'worker', 'worker/adapters/*', 'worker/core', 'worker/ports'] },
  {
    path: 'local',
    may: [
      'local/*',
      'worker',
      'worker/adapters',
      'worker/adapters/*',
      'worker/core',
      'worker/domain/rewrite',
      'worker/domain/step/extractive',
      'worker/http',
      'worker/objects',
      'worker/ports',
    ],
  },
]

/** Functions that one place wraps: elsewhere in the worker only their types are imported. */
export const WRAPPED = {
  files: ['media/cut-audio.ts', 'media/read-facts.ts'],
  inside: 'worker/',
  /** `failing-module.ts` there turns faults of a file into failures of a module. */
  by: 'worker/domain/media',
  names: ['cutAudioSlice', 'readMediaFacts'],
} as const
