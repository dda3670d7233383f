#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H
#include <openssl/evp.h>
#include <stddef.h>

/* SHA-256 (FIPS 180-4) in one go and in pieces. Lengths are bytes; a digest is 32 bytes. */
static inline int ccrypto_sha256(const void *_Nullable bytes, size_t count, unsigned char *_Nonnull digest) {
  return EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL);
}
static inline EVP_MD_CTX *_Nullable ccrypto_sha256_begin(void) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1) return context;
  EVP_MD_CTX_free(context);
  return NULL;
}
static inline int ccrypto_sha256_add(EVP_MD_CTX *_Nonnull context, const void *_Nullable bytes, size_t count) {
  return EVP_DigestUpdate(context, bytes, count);
}
static inline int ccrypto_sha256_end(EVP_MD_CTX *_Nonnull context, unsigned char *_Nonnull digest) {
  int ok = EVP_DigestFinal_ex(context, digest, NULL);
  EVP_MD_CTX_free(context);
  return ok;
}

/* SHA-1 (FIPS 180-4), only for the names of git's objects. A digest is 20 bytes. `ccrypto_final` does not free. */
static inline EVP_MD_CTX *_Nullable ccrypto_sha1_begin(void) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  if (context && EVP_DigestInit_ex(context, EVP_sha1(), NULL) == 1) return context;
  EVP_MD_CTX_free(context);
  return NULL;
}
static inline int ccrypto_final(EVP_MD_CTX *_Nonnull context, unsigned char *_Nonnull digest) {
  return EVP_DigestFinal_ex(context, digest, NULL);
}
static inline void ccrypto_end(EVP_MD_CTX *_Nullable context) { EVP_MD_CTX_free(context); }
#endif
