import { SignIn } from '@clerk/react'
import { AuthPage } from '#web/features/auth/auth-page.tsx'

export function SignInPage() {
  return (
    <AuthPage title="Welcome Back">
      <SignIn routing="path" path="/sign-in" />
    </AuthPage>
  )
}
