"""Certificates of a venue (X.509, ECDSA P-256): the authority's own, and those of its machines.

A machine's certificate carries its name as common name, which is what MQTT servers call it, and
as a SPIFFE-style URI ``spiffe://{venue}/{kind}/{name}``. A server's certificate cannot serve as a
client's, nor the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from provisioning.inventory import Kind

_SKEW: Final = timedelta(hours=1)
"""The clocks of a venue's machines may be that far apart."""


class Term(NamedTuple):
    """When a certificate is made, and when it ends."""

    now: datetime
    end: datetime


class Issuer(NamedTuple):
    """An authority's certificate with its key."""

    certificate: x509.Certificate
    key: EllipticCurvePrivateKey


def uri_of(venue: str, kind: str = "", name: str = "") -> str:
    """The URI in a certificate: of a machine; with the venue alone, of its authority."""
    return f"spiffe://{venue}/{kind}/{name}" if kind else f"spiffe://{venue}"


def has_uri(certificate: x509.Certificate, uri: str) -> bool:
    """Whether the certificate was made out for that URI."""
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, ValueError):
        return False
    return uri in names.get_values_for_type(x509.UniformResourceIdentifier)


def authority_certificate(venue: str, key: EllipticCurvePrivateKey, term: Term) -> x509.Certificate:
    """The certificate that a venue's authority makes out for itself."""
    return (
        _certificate(venue, _name(venue), key.public_key(), term)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectAlternativeName([_uri(venue)]), critical=False)
        .sign(key, hashes.SHA256())
    )


def machine_certificate(
    issuer: Issuer,
    venue: str,
    kind: Kind,
    name: str,
    hosts: Iterable[x509.GeneralName],
    key: EllipticCurvePublicKey,
    term: Term,
) -> x509.Certificate:
    """The certificate of a server, a client or a device. ``hosts``: what else a server is called."""
    purpose = ExtendedKeyUsageOID.SERVER_AUTH if kind == "server" else ExtendedKeyUsageOID.CLIENT_AUTH
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key())
    return (
        _certificate(name, issuer.certificate.subject, key, term)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        .add_extension(x509.SubjectAlternativeName([*hosts, _uri(venue, kind, name)]), critical=False)
        .add_extension(signer, critical=False)
        .sign(issuer.key, hashes.SHA256())
    )


def _certificate(
    name: str, issuer: x509.Name, key: EllipticCurvePublicKey, term: Term
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(term.now - _SKEW)
        .not_valid_after(term.end)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _uri(venue: str, kind: str = "", name: str = "") -> x509.UniformResourceIdentifier:
    return x509.UniformResourceIdentifier(uri_of(venue, kind, name))


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
