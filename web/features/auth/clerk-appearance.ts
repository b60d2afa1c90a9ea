/** Clerk's forms in our tokens; as CSS variables they follow the colour scheme by themselves. */
export const CLERK_APPEARANCE = {
  variables: {
    colorPrimary: 'var(--color-brand)',
    colorPrimaryForeground: 'var(--color-on-brand)',
    colorDanger: 'var(--color-danger)',
    colorNeutral: 'var(--color-ink)',
    colorForeground: 'var(--color-ink)',
    colorMuted: 'var(--color-sunken)',
    colorMutedForeground: 'var(--color-ink-soft)',
    colorBackground: 'var(--color-raised)',
    colorInput: 'var(--color-surface)',
    colorInputForeground: 'var(--color-ink)',
    colorRing: 'var(--color-brand)',
    colorBorder: 'var(--color-line-strong)',
    fontFamily: 'var(--font-sans)',
    borderRadius: '0.625rem',
  },
  elements: {
    rootBox: { width: '100%', display: 'flex', justifyContent: 'center', alignItems: 'flex-start' },
    cardBox: { boxShadow: 'var(--shadow-float)', width: '100%', maxWidth: '26rem' },
    headerTitle: { fontSize: '1.625rem', letterSpacing: '-0.022em' },
    formFieldInput: {
      boxShadow: '0 0 0 1px var(--color-line-strong)',
      '&:focus': { boxShadow: '0 0 0 2px var(--color-brand)' },
    },
    formButtonPrimary: { height: '2.5rem', boxShadow: 'none', '&::after': { display: 'none' } },
  },
} as const

/** @see specification §2, sign-in and sign-up */
export const CLERK_TEXTS = {
  signIn: {
    start: { title: 'Welcome Back', subtitle: 'Sign in to your training modules' },
    password: { title: 'Welcome Back' },
  },
  signUp: { start: { title: 'Get Started', subtitle: 'Create your account and your first module' } },
} as const
