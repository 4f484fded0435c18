package backup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"gopkg.in/ini.v1"

	"emberdb/internal/base"
)

// s3Store keeps objects in a bucket of S3 or of a service like it:
//
//	s3://BUCKET[/PREFIX][?endpoint=URL][&region=NAME]
//
// Keys, and what the place does not say, come from where the tools of AWS look: the environment,
// ~/.aws/config and ~/.aws/credentials (AWS_PROFILE), and the role of the machine or container.
// Keys are never part of the place.
//
// An object is put by one request, so that it is there whole or not at all: an interruption leaves
// no parts behind, and a backup goes on with the next object.
type s3Store struct {
	core   minio.Core
	bucket string
	prefix string // "" or ends with a slash
	place  url.URL
}

// maxObject bounds what is read of an object whose length nothing else bounds.
const maxObject = 1 << 30

// errNoKeys says that no keys for S3 were found.
var errNoKeys = errors.New("no keys for S3 were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or have a profile in ~/.aws/credentials, or a role")

func openS3(ctx context.Context, place string) (*s3Store, error) {
	s, err := parseS3(place)
	if err != nil {
		return nil, err
	}
	if err := s.dial(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return s, s.probe(ctx)
}

// probe finds out whether the bucket is there and the keys are good for it.
func (s *s3Store) probe(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for o := range s.core.Client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, Recursive: true, MaxKeys: 1}) {
		return s.explain("", o.Err)
	}
	return ctx.Err()
}

// parseS3 reads a place and completes it by the settings of AWS's tools.
func parseS3(place string) (*s3Store, error) {
	u, err := url.Parse(place)
	if err != nil {
		return nil, err
	}
	if u.User != nil {
		return nil, errors.New("s3://: keys do not belong into the place; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or have a profile in ~/.aws/credentials")
	}
	if u.Host == "" {
		return nil, fmt.Errorf("%s: it names no bucket; a place in S3 is s3://BUCKET/PREFIX", place)
	}
	q := u.Query()
	for name := range q {
		if name != "endpoint" && name != "region" {
			return nil, fmt.Errorf("%s: %s is not known; what may follow the prefix are endpoint=URL and region=NAME", place, name)
		}
	}
	profile := awsProfile()
	endpoint := cmp.Or(q.Get("endpoint"), os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), profile("endpoint_url"), "https://s3.amazonaws.com")
	region := cmp.Or(q.Get("region"), os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), profile("region"))
	u.RawQuery = url.Values{"endpoint": {endpoint}, "region": {region}}.Encode()
	s := &s3Store{bucket: u.Host, prefix: strings.Trim(u.Path, "/"), place: *u}
	if s.prefix != "" {
		s.prefix += "/"
	}
	return s, nil
}

// awsProfile returns the settings of the profile in ~/.aws/config.
func awsProfile() func(name string) string {
	path := os.Getenv("AWS_CONFIG_FILE")
	if home, err := os.UserHomeDir(); path == "" && err == nil {
		path = filepath.Join(home, ".aws", "config")
	}
	section := "default"
	if p := os.Getenv("AWS_PROFILE"); p != "" && p != section {
		section = "profile " + p
	}
	file, err := ini.LooseLoad(path) // a missing file is empty
	if err != nil {
		return func(string) string { return "" }
	}
	return func(name string) string { return file.Section(section).Key(name).String() }
}

func (s *s3Store) dial(ctx context.Context) error {
	q := s.place.Query()
	end, err := url.Parse(q.Get("endpoint"))
	if err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	if end.Scheme != "https" && end.Scheme != "http" || end.Host == "" || strings.Trim(end.Path, "/") != "" || end.User != nil {
		return errors.New("the endpoint is https://HOST or https://HOST:PORT, or the same with http")
	}
	transport, err := minio.DefaultTransport(end.Scheme == "https")
	if err != nil {
		return err
	}
	transport.DialContext = dialPatiently
	keys := credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{},
		&credentials.IAM{Client: &http.Client{Timeout: 5 * time.Second}}})
	found, err := keys.GetWithContext(&credentials.CredContext{Client: http.DefaultClient, Context: ctx})
	if err == nil && found.AccessKeyID == "" {
		err = errNoKeys
	}
	if err != nil {
		return err
	}
	client, err := minio.New(end.Host, &minio.Options{Creds: keys, Secure: end.Scheme == "https", Transport: transport, Region: q.Get("region"), MaxRetries: attempts})
	if err == nil {
		s.core = minio.Core{Client: client}
	}
	return err
}

// explain tells what an error of the service means. name is the object's; "": none.
func (s *s3Store) explain(name string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	place := "s3://" + s.bucket + "/" + s.prefix + name
	r := minio.ToErrorResponse(err)
	switch r.Code {
	case "NoSuchKey":
		return fmt.Errorf("%s: %w", place, ErrNoObject)
	case "NoSuchBucket":
		return fmt.Errorf("%s: there is no such bucket at %s", place, s.core.EndpointURL())
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "AuthorizationHeaderMalformed":
		return fmt.Errorf("%s: the service refuses the keys: %w (%s)", place, err, r.Code)
	case "AccessDenied", "AllAccessDisabled":
		return fmt.Errorf("%s: the keys do not allow it: %w", place, err)
	case "InvalidRange":
		return damaged(place, "it is shorter than it was written")
	case "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded":
		return fmt.Errorf("%s: %w: %w", place, base.ErrDiskFull, err)
	}
	if r.StatusCode == http.StatusInsufficientStorage {
		return fmt.Errorf("%s: %w: %w", place, base.ErrDiskFull, err)
	}
	return fmt.Errorf("%s: %w", place, err)
}

// URL implements Store. It holds all that is not a key.
func (s *s3Store) URL() string { return s.place.String() }

// Close implements Store.
func (s *s3Store) Close() error { return nil }

// Put implements Store.
func (s *s3Store) Put(ctx context.Context, name string, data []byte) error {
	_, err := s.core.Client.PutObject(ctx, s.bucket, s.prefix+name, bytes.NewReader(data), int64(len(data)),
		minio.PutObjectOptions{ContentType: "application/octet-stream", DisableMultipart: true, SendContentMd5: true})
	return s.explain(name, err)
}

// Get implements Store.
func (s *s3Store) Get(ctx context.Context, name string, off, n int64) (data []byte, err error) {
	if n == 0 {
		return nil, nil
	}
	err = again(ctx, func() (err error) {
		data, err = s.get(ctx, name, off, n)
		return err
	})
	return data, s.explain(name, err)
}

// get asks once. A connection that breaks inside the bytes is an error that again repeats.
func (s *s3Store) get(ctx context.Context, name string, off, n int64) ([]byte, error) {
	var o minio.GetObjectOptions
	switch {
	case n > 0:
		if err := o.SetRange(off, off+n-1); err != nil {
			return nil, err
		}
	case off > 0:
		if err := o.SetRange(off, 0); err != nil {
			return nil, err
		}
	}
	body, info, _, err := s.core.GetObject(ctx, s.bucket, s.prefix+name, o)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	if n < 0 && info.Size > maxObject {
		return nil, damaged(name, "%d bytes are more than it can have", info.Size)
	}
	if n >= 0 && info.Size != n {
		return nil, damaged(name, "%d bytes at %d are missing", n, off)
	}
	data := make([]byte, max(info.Size, 0))
	if _, err := io.ReadFull(body, data); err != nil {
		return nil, fmt.Errorf("%w: %w", errBroken, err)
	}
	return data, nil
}

// List implements Store.
func (s *s3Store) List(ctx context.Context, prefix string) (out []Object, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for o := range s.core.Client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}) {
		if o.Err != nil {
			return nil, s.explain(prefix, o.Err)
		}
		out = append(out, Object{strings.TrimPrefix(o.Key, s.prefix), o.Size})
	}
	slices.SortFunc(out, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	return out, ctx.Err()
}

// Remove implements Store.
func (s *s3Store) Remove(ctx context.Context, name string) error {
	err := s.explain(name, s.core.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{}))
	if errors.Is(err, ErrNoObject) {
		return nil
	}
	return err
}
