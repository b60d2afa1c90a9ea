import type { ClerkProviderProps } from '@clerk/react'
import { buildClerkUIScriptAttributes, clerkUIScriptUrl } from '@clerk/react/internal'

type InterfaceConstructor = Exclude<NonNullable<NonNullable<ClerkProviderProps['ui']>['ClerkUI']>, Promise<unknown>>
type Interface = InstanceType<InterfaceConstructor>
type Controls = Awaited<ReturnType<Interface['ensureMounted']>>
type Hint = { preloadHint?: string }

/** The components of Clerk that are drawn, by Clerk's own names. */
export type InterfacePart =
  | 'SignIn'
  | 'SignUp'
  | 'UserButton'
  | 'OrganizationList'
  | 'TaskChooseOrganization'
  | 'UserVerification'

/** What Clerk waits for its scripts. */
const SCRIPT_WITHIN_MS = 15_000

let script: Promise<InterfaceConstructor> | null = null
/** Of the interface that Clerk was given. */
let load: ((hint: Hint) => Promise<Controls>) | null = null

/** Begins to download the interface, for a page that is going to need it. A failure is met again when it is needed. */
export function preloadInterface(): void {
  loadScript().catch(() => {})
}

/**
 * Loads the interface and one part of it, once Clerk knows who is here.
 * @throws when it cannot be loaded; the next call tries again
 */
export async function loadInterface(part: InterfacePart): Promise<void> {
  // not-shown: for developers.
  if (load === null) throw new Error('The interface of Clerk is loaded before Clerk itself')
  await load({ preloadHint: part })
}

/**
 * Stands in for Clerk's interface until a part of it is wanted. Forms and menus are three quarters of Clerk's scripts,
 * and most visits of a signed-in person need none of them.
 */
export class LateInterface implements Interface {
  static readonly version = 'late'
  readonly version = LateInterface.version
  readonly #options: ConstructorParameters<InterfaceConstructor>
  #loaded: Interface | null = null

  constructor(...options: ConstructorParameters<InterfaceConstructor>) {
    this.#options = options
    load = (hint) => this.#load(hint)
  }

  async ensureMounted(hint?: Hint): Promise<Controls> {
    return hint === undefined && this.#loaded === null ? this.#late : this.#load(hint)
  }

  async #load(hint?: Hint): Promise<Controls> {
    const Loaded = await loadScript()
    this.#loaded ??= new Loaded(...this.#options)
    try {
      return await this.#loaded.ensureMounted(hint)
    } catch (error) {
      // It would keep the failure to load its files for ever.
      this.#loaded = null
      throw error
    }
  }

  readonly #late = new Proxy({} as Controls, {
    get: (_, name) => {
      // A promise of this object would wait for it.
      if (name === 'then') return undefined
      // Once it has loaded, Clerk repeats the settings that the constructor was given.
      if (name === 'updateProps') return () => {}
      return async (...values: unknown[]) => Reflect.apply(Reflect.get(await this.#load(), name), undefined, values)
    },
  })
}

function loadScript(): Promise<InterfaceConstructor> {
  script ??= addScript().catch((error: unknown) => {
    script = null
    throw error
  })
  return script
}

function addScript(): Promise<InterfaceConstructor> {
  const settings = {
    publishableKey: import.meta.env.VITE_CLERK_PUBLISHABLE_KEY ?? '',
    proxyUrl: import.meta.env.VITE_CLERK_PROXY_URL ?? '',
  }
  return new Promise((resolve, reject) => {
    const element = document.createElement('script')
    const timer = setTimeout(fail, SCRIPT_WITHIN_MS)
    function fail() {
      element.remove()
      clearTimeout(timer)
      // not-shown: for developers.
      reject(new Error('The interface of Clerk could not be loaded'))
    }
    function take() {
      const Loaded = window.__internal_ClerkUICtor
      if (Loaded === undefined) return fail()
      clearTimeout(timer)
      resolve(Loaded)
    }
    for (const [name, value] of Object.entries(buildClerkUIScriptAttributes(settings)))
      element.setAttribute(name, value)
    Object.assign(element, { src: clerkUIScriptUrl(settings), crossOrigin: 'anonymous', onload: take, onerror: fail })
    document.head.append(element)
  })
}
